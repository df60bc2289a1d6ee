//===- Options.td - the command line of tilec ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every option of every command: parsing, --help and spelling suggestions come from these rows.
//
//===----------------------------------------------------------------------===//
include "llvm/Option/OptParser.td"

def CompileOption : OptionVisibility;
def CheckOption : OptionVisibility;
def LayoutOption : OptionVisibility;

class F<string name, string help> : Flag<["--"], name>, HelpText<help>;
class J<string name, string meta, string help> : Joined<["--"], name # "=">, MetaVarName<meta>, HelpText<help>;
class S<Option joined, string name> : Separate<["--"], name>, Alias<joined>;
class Everywhere : Visibility<[CompileOption, CheckOption]>;
class Compile : Visibility<[CompileOption]>;
class Check : Visibility<[CheckOption]>;
class Layout : Visibility<[LayoutOption]>;
class AnyCommand : Visibility<[CompileOption, CheckOption, LayoutOption]>;

// Everything after it is an input, whatever it looks like.
def dash_dash : Option<["--"], "", KIND_REMAINING_ARGS>, AnyCommand, HelpText<"Take what follows as the input">;

// What is written.
def o : JoinedOrSeparate<["-"], "o">, MetaVarName<"<file>">, Visibility<[CompileOption, LayoutOption]>,
  HelpTextForVariants<[LayoutOption], "Write the drawing to <file> instead of standard output">,
  HelpText<"Write the fatbin, or what the one --emit names, to <file> ('-': standard output); with several --emit values <file> is a folder">;
def header : J<"header", "<file>", "Write the launch header">, Compile;
def header_s : S<header, "header">, Compile;
def source : J<"source", "<file>", "Write the launch source with the device code embedded">, Compile;
def source_s : S<source, "source">, Compile;
def manifest : J<"manifest", "<file>", "Write the manifest (JSON: interface, variants, resources, provenance)">, Compile;
def manifest_s : S<manifest, "manifest">, Compile;
def emit : CommaJoined<["--"], "emit=">, MetaVarName<"<stage,...>">, Compile,
  HelpText<"Write these stages: tokens, ast, tile, layout, schedule, nvvm, llvm, ptx, cubin, fatbin, header, source, manifest">;
def from : J<"from", "<stage>", "The input is MLIR text of this stage: tile, layout, schedule or nvvm">, Compile;
def from_s : S<from, "from">, Compile;
def print_outputs : F<"print-outputs", "Print the names of the files that would be written, and stop">, Compile;
def save_temps : F<"save-temps", "Keep every stage beside the outputs">, Compile;
def save_temps_eq : J<"save-temps", "<dir>", "Keep every stage in <dir>">, Compile;
def name_space : J<"namespace", "<name>", "Put the C++ face into this namespace and prefix every C symbol with it">, Compile;
def name_space_s : S<name_space, "namespace">, Compile;

// For whom.
def target : CommaJoined<["--"], "target=">, MetaVarName<"<list>">, Everywhere,
  HelpText<"Targets: sm_80, sm_86, sm_89, sm_90a, sm_120 (machine code), compute_80 (PTX); without it sm_80,sm_90a,compute_80">;
def list_targets : F<"list-targets", "List the targets and stop">, Compile;

// The program.
def D : JoinedOrSeparate<["-"], "D">, MetaVarName<"NAME=VALUE">, Everywhere,
  HelpText<"Give a compile-time parameter this value in every kernel that has it">;
def I : JoinedOrSeparate<["-"], "I">, MetaVarName<"<dir>">, Everywhere, HelpText<"Search <dir> for imports">;
def no_contract : F<"no-contract", "Never contract a * b + c to one rounding">, Everywhere;

// Dependency files.
def MD : Flag<["-"], "MD">, Compile, HelpText<"Write a dependency file">;
def MF : JoinedOrSeparate<["-"], "MF">, MetaVarName<"<file>">, Compile, HelpText<"Its name (default: the first output with .d)">;
def MT : JoinedOrSeparate<["-"], "MT">, MetaVarName<"<target>">, Compile, HelpText<"The target of its rule (default: the first output)">;

// Diagnostics.
def diagnostics : J<"diagnostics", "text|json", "How diagnostics are written">, AnyCommand;
def color : J<"color", "auto|always|never", "Colour in diagnostics">, AnyCommand;
def error_limit : J<"error-limit", "<n>", "Stop after <n> errors (20; 0: no limit)">, Everywhere;
def W_Joined : Joined<["-"], "W">, MetaVarName<"<name>">, Everywhere,
  HelpText<"-Wname, -Wno-name, -Werror, -Werror=name: turn warnings on, off or into errors">;

// Looking inside.
def report : F<"report", "Print what was decided for every kernel variant, a line a decision, and its resources">, Compile;
def time_passes : F<"time-passes", "Print the time that every stage took">, Compile;
def v : Flag<["-"], "v">, Everywhere, HelpText<"Print the tools, their versions and their command lines">;
def hash_hash_hash : Flag<["-"], "###">, Compile, HelpText<"Print the commands that would run, and stop">;
def verify_stages : F<"verify-stages", "Verify the stage after every pass">, Compile;
def j : JoinedOrSeparate<["-"], "j">, MetaVarName<"<n>">, Everywhere,
  HelpTextForVariants<[CheckOption], "Compile <n> variants, or run <n> blocks on the emulator, at once (default: the cores)">,
  HelpText<"Compile up to <n> variants at once (default: the cores)">;
def ptxas_timeout : J<"ptxas-timeout", "<seconds>", "Give up on ptxas after this time (300)">, Everywhere;
def help : Flag<["--", "-"], "help">, AnyCommand, HelpText<"Print this">;
def h : Flag<["-"], "h">, Alias<help>, AnyCommand;
def version : Flag<["--"], "version">, Everywhere, HelpText<"Print the versions of tilec, LLVM and ptxas">;

// tilec check.
def device : J<"device", "reference|emulator|gpu", "Where the checks run (default: a GPU if there is one, else the emulator)">, Check;
def device_s : S<device, "device">, Check;
def filter : J<"filter", "<text>", "Only the checks whose line contains <text>">, Check;
def filter_s : S<filter, "filter">, Check;
def json : F<"json", "Print the results as JSON">, Check;
def seed : J<"seed", "<n>", "Seed of the inputs and of the emulator's orders (1)">, Check;
def seed_s : S<seed, "seed">, Check;
def schedules : J<"schedules", "<n>", "Run each check on the emulator in <n> orders of its threads (4)">, Check;
def schedules_s : S<schedules, "schedules">, Check;
def bundle : J<"bundle", "<dir>", "Write a bundle for tile-runner instead of running (with --device=gpu)">, Check;

// tilec layout.
def shape : Joined<["--"], "shape=">, MetaVarName<"<extents>">, Visibility<[CheckOption, LayoutOption]>,
  HelpTextForVariants<[CheckOption], "Replace values of the checks, as in M=64,N=64">,
  HelpText<"The tile, as in 32x64 (default: all that a distributed layout covers)">;
def shape_s : S<shape, "shape">, Layout;
def element_bits : J<"bits", "4|8|16|32|64", "Width of an element in memory (16)">, Layout;
def svg : F<"svg", "Draw an SVG picture instead of text">, Layout;
