import os
import sys
import lit.formats

config.name = "tilec"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".tile", ".test", ".md", ".ll"]
config.excludes = ["Inputs", "README.md"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.tilec_obj_root, "test")
config.environment["PATH"] = os.pathsep.join(
    [os.path.join(config.tilec_obj_root, "bin"), config.llvm_tools_dir, config.environment["PATH"]])
config.environment["FILECHECK_OPTS"] = "-enable-var-scope"
for name in ("CUDAToolkit_ROOT", "CUDA_HOME"):
    if name in os.environ:
        config.environment[name] = os.environ[name]
config.substitutions.append(("%kernels", os.path.join(config.tilec_src_root, "kernels")))
config.substitutions.append(("%srcroot", config.tilec_src_root))
config.substitutions.append(("%python", sys.executable))
config.substitutions.append(("%llvm_include", os.path.join(os.path.dirname(config.llvm_tools_dir), "include")))
# Where a coverage build writes its profiles (see test/Completeness/coverage.py).
if "LLVM_PROFILE_FILE" in os.environ:
    config.environment["LLVM_PROFILE_FILE"] = os.environ["LLVM_PROFILE_FILE"]
# `%status N command …`: `not` cannot tell exit statuses apart.
config.substitutions.append(("%status", sys.executable + " " + os.path.join(config.test_source_root, "Driver", "status.py")))
try:
    import ctypes
    if ctypes.CDLL("libcuda.so.1").cuInit(0) == 0:
        config.available_features.add("gpu")
except OSError:
    pass
