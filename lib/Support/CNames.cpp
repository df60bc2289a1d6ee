//===- CNames.cpp - names that C and C++ keep for themselves --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A list of words, searched by a set built on first use, and the families that headers define by the dozen.
// test/Stub/names.test compares both with what the preprocessors say.
//
//===----------------------------------------------------------------------===//

#include "tilec/Support/CNames.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;

// The keywords of C23 and C++20, what the standard headers of C11 declare or define with GNU libc in its
// strict mode, and the macros that the headers of a stub define beyond it in the default GNU mode. Functions
// and types of POSIX alone stay usable: a member may be called so.
static constexpr StringLiteral words = R"(
ATOMIC_BOOL_LOCK_FREE ATOMIC_CHAR16_T_LOCK_FREE ATOMIC_CHAR32_T_LOCK_FREE ATOMIC_CHAR_LOCK_FREE
ATOMIC_FLAG_INIT ATOMIC_INT_LOCK_FREE ATOMIC_LLONG_LOCK_FREE ATOMIC_LONG_LOCK_FREE
ATOMIC_POINTER_LOCK_FREE ATOMIC_SHORT_LOCK_FREE ATOMIC_VAR_INIT ATOMIC_WCHAR_T_LOCK_FREE BUFSIZ CHAR_BIT
CHAR_MAX CHAR_MIN CLOCKS_PER_SEC CMPLX CMPLXF CMPLXL DBL_DECIMAL_DIG DBL_DIG DBL_EPSILON DBL_HAS_SUBNORM
DBL_MANT_DIG DBL_MAX DBL_MAX_10_EXP DBL_MAX_EXP DBL_MIN DBL_MIN_10_EXP DBL_MIN_EXP DBL_TRUE_MIN
DECIMAL_DIG E2BIG EACCES EADDRINUSE EADDRNOTAVAIL EADV EAFNOSUPPORT EAGAIN EALREADY EBADE EBADF EBADFD
EBADMSG EBADR EBADRQC EBADSLT EBFONT EBUSY ECANCELED ECHILD ECHRNG ECOMM ECONNABORTED ECONNREFUSED
ECONNRESET EDEADLK EDEADLOCK EDESTADDRREQ EDOM EDOTDOT EDQUOT EEXIST EFAULT EFBIG EHOSTDOWN EHOSTUNREACH
EHWPOISON EIDRM EILSEQ EINPROGRESS EINTR EINVAL EIO EISCONN EISDIR EISNAM EKEYEXPIRED EKEYREJECTED
EKEYREVOKED EL2HLT EL2NSYNC EL3HLT EL3RST ELIBACC ELIBBAD ELIBEXEC ELIBMAX ELIBSCN ELNRNG ELOOP
EMEDIUMTYPE EMFILE EMLINK EMSGSIZE EMULTIHOP ENAMETOOLONG ENAVAIL ENETDOWN ENETRESET ENETUNREACH ENFILE
ENOANO ENOBUFS ENOCSI ENODATA ENODEV ENOENT ENOEXEC ENOKEY ENOLCK ENOLINK ENOMEDIUM ENOMEM ENOMSG ENONET
ENOPKG ENOPROTOOPT ENOSPC ENOSR ENOSTR ENOSYS ENOTBLK ENOTCONN ENOTDIR ENOTEMPTY ENOTNAM ENOTRECOVERABLE
ENOTSOCK ENOTSUP ENOTTY ENOTUNIQ ENXIO EOF EOPNOTSUPP EOVERFLOW EOWNERDEAD EPERM EPFNOSUPPORT EPIPE
EPROTO EPROTONOSUPPORT EPROTOTYPE ERANGE EREMCHG EREMOTE EREMOTEIO ERESTART ERFKILL EROFS ESHUTDOWN
ESOCKTNOSUPPORT ESPIPE ESRCH ESRMNT ESTALE ESTRPIPE ETIME ETIMEDOUT ETOOMANYREFS ETXTBSY EUCLEAN EUNATCH
EUSERS EWOULDBLOCK EXDEV EXFULL EXIT_FAILURE EXIT_SUCCESS FE_ALL_EXCEPT FE_DFL_ENV FE_DIVBYZERO
FE_DOWNWARD FE_INEXACT FE_INVALID FE_OVERFLOW FE_TONEAREST FE_TOWARDZERO FE_UNDERFLOW FE_UPWARD FILE
FILENAME_MAX FLT_DECIMAL_DIG FLT_DIG FLT_EPSILON FLT_EVAL_METHOD FLT_HAS_SUBNORM FLT_MANT_DIG FLT_MAX
FLT_MAX_10_EXP FLT_MAX_EXP FLT_MIN FLT_MIN_10_EXP FLT_MIN_EXP FLT_RADIX FLT_ROUNDS FLT_TRUE_MIN
FOPEN_MAX FP_ILOGB0 FP_ILOGBNAN FP_INFINITE FP_NAN FP_NORMAL FP_SUBNORMAL FP_ZERO HUGE_VAL HUGE_VALF
HUGE_VALL I INFINITY LC_ADDRESS LC_ALL LC_COLLATE LC_CTYPE LC_IDENTIFICATION LC_MEASUREMENT LC_MESSAGES
LC_MONETARY LC_NAME LC_NUMERIC LC_PAPER LC_TELEPHONE LC_TIME LDBL_DECIMAL_DIG LDBL_DIG LDBL_EPSILON
LDBL_HAS_SUBNORM LDBL_MANT_DIG LDBL_MAX LDBL_MAX_10_EXP LDBL_MAX_EXP LDBL_MIN LDBL_MIN_10_EXP
LDBL_MIN_EXP LDBL_TRUE_MIN LLONG_MAX LLONG_MIN LONG_MAX LONG_MIN L_tmpnam MATH_ERREXCEPT MATH_ERRNO
MB_CUR_MAX MB_LEN_MAX NAN NULL ONCE_FLAG_INIT PTRDIFF_MAX PTRDIFF_MIN RAND_MAX SCHAR_MAX SCHAR_MIN
SEEK_CUR SEEK_END SEEK_SET SHRT_MAX SHRT_MIN SIGABRT SIGALRM SIGBUS SIGCHLD SIGCLD SIGCONT SIGFPE SIGHUP
SIGILL SIGINT SIGIO SIGIOT SIGKILL SIGPIPE SIGPOLL SIGPROF SIGPWR SIGQUIT SIGRTMAX SIGRTMIN SIGSEGV
SIGSTKFLT SIGSTOP SIGSYS SIGTERM SIGTRAP SIGTSTP SIGTTIN SIGTTOU SIGURG SIGUSR1 SIGUSR2 SIGVTALRM
SIGWINCH SIGXCPU SIGXFSZ SIG_ATOMIC_MAX SIG_ATOMIC_MIN SIG_DFL SIG_ERR SIG_IGN SIZE_MAX TIME_UTC TMP_MAX
TSS_DTOR_ITERATIONS UCHAR_MAX ULLONG_MAX ULONG_MAX USHRT_MAX WCHAR_MAX WCHAR_MIN WEOF WINT_MAX WINT_MIN
abort abs acos acosf acosh acoshf acoshl acosl alignas aligned_alloc alignof and and_eq asctime asin
asinf asinh asinhf asinhl asinl asm assert at_quick_exit atan atan2 atan2f atan2l atanf atanh atanhf
atanhl atanl atexit atof atoi atol atoll atomic_bool atomic_char atomic_char16_t atomic_char32_t
atomic_compare_exchange_strong atomic_compare_exchange_strong_explicit atomic_compare_exchange_weak
atomic_compare_exchange_weak_explicit atomic_exchange atomic_exchange_explicit atomic_fetch_add
atomic_fetch_add_explicit atomic_fetch_and atomic_fetch_and_explicit atomic_fetch_or
atomic_fetch_or_explicit atomic_fetch_sub atomic_fetch_sub_explicit atomic_fetch_xor
atomic_fetch_xor_explicit atomic_flag atomic_flag_clear atomic_flag_clear_explicit
atomic_flag_test_and_set atomic_flag_test_and_set_explicit atomic_init atomic_int atomic_intmax_t
atomic_intptr_t atomic_is_lock_free atomic_llong atomic_load atomic_load_explicit atomic_long
atomic_ptrdiff_t atomic_schar atomic_short atomic_signal_fence atomic_size_t atomic_store
atomic_store_explicit atomic_thread_fence atomic_uchar atomic_uint atomic_uintmax_t atomic_uintptr_t
atomic_ullong atomic_ulong atomic_ushort atomic_wchar_t auto bitand bitor bool break bsearch btowc
c16rtomb c32rtomb cabs cabsf cabsl cacos cacosf cacosh cacoshf cacoshl cacosl call_once calloc carg
cargf cargl case casin casinf casinh casinhf casinhl casinl catan catanf catanh catanhf catanhl catanl
catch cbrt cbrtf cbrtl ccos ccosf ccosh ccoshf ccoshl ccosl ceil ceilf ceill cexp cexpf cexpl char
char16_t char32_t char8_t cimag cimagf cimagl class clearerr clock clock_t clog clogf clogl
cnd_broadcast cnd_destroy cnd_init cnd_signal cnd_t cnd_timedwait cnd_wait co_await co_return co_yield
compl complex concept conj conjf conjl const const_cast consteval constexpr constinit continue copysign
copysignf copysignl cos cosf cosh coshf coshl cosl cpow cpowf cpowl cproj cprojf cprojl creal crealf
creall csin csinf csinh csinhf csinhl csinl csqrt csqrtf csqrtl ctan ctanf ctanh ctanhf ctanhl ctanl
ctime decltype default delete difftime div div_t do double double_t dynamic_cast else enum erf erfc
erfcf erfcl erff erfl errno exit exp exp2 exp2f exp2l expf expl explicit expm1 expm1f expm1l export
extern fabs fabsf fabsl false fclose fdim fdimf fdiml feclearexcept fegetenv fegetexceptflag fegetround
feholdexcept fenv_t feof feraiseexcept ferror fesetenv fesetexceptflag fesetround fetestexcept
feupdateenv fexcept_t fflush fgetc fgetpos fgets fgetwc fgetws float float_t floor floorf floorl fma
fmaf fmal fmax fmaxf fmaxl fmin fminf fminl fmod fmodf fmodl fopen for fpclassify fpos_t fprintf fputc
fputs fputwc fputws fread free freopen frexp frexpf frexpl friend fscanf fseek fsetpos ftell fwide
fwprintf fwrite fwscanf getc getchar getenv getwc getwchar gmtime goto hypot hypotf hypotl i386 if ilogb
ilogbf ilogbl imaxabs imaxdiv imaxdiv_t inline int intmax_t intptr_t isalnum isalpha isblank iscntrl
isdigit isfinite isgraph isgreater isgreaterequal isinf isless islessequal islessgreater islower isnan
isnormal isprint ispunct isspace isunordered isupper iswalnum iswalpha iswblank iswcntrl iswctype
iswdigit iswgraph iswlower iswprint iswpunct iswspace iswupper iswxdigit isxdigit jmp_buf
kill_dependency labs ldexp ldexpf ldexpl ldiv ldiv_t lgamma lgammaf lgammal linux llabs lldiv lldiv_t
llrint llrintf llrintl llround llroundf llroundl localeconv localtime log log10 log10f log10l log1p
log1pf log1pl log2 log2f log2l logb logbf logbl logf logl long longjmp lrint lrintf lrintl lround
lroundf lroundl main malloc math_errhandling max_align_t mblen mbrlen mbrtoc16 mbrtoc32 mbrtowc mbsinit
mbsrtowcs mbstate_t mbstowcs mbtowc memchr memcmp memcpy memmove memory_order memory_order_acq_rel
memory_order_acquire memory_order_consume memory_order_relaxed memory_order_release memory_order_seq_cst
memset mktime modf modff modfl mtx_destroy mtx_init mtx_lock mtx_plain mtx_recursive mtx_t mtx_timed
mtx_timedlock mtx_trylock mtx_unlock mutable namespace nan nanf nanl nearbyint nearbyintf nearbyintl new
nextafter nextafterf nextafterl nexttoward nexttowardf nexttowardl noexcept noreturn not not_eq nullptr
offsetof once_flag operator or or_eq perror pow powf powl printf private protected ptrdiff_t public putc
putchar puts putwc putwchar qsort quick_exit raise rand realloc register reinterpret_cast remainder
remainderf remainderl remove remquo remquof remquol rename requires restrict return rewind rint rintf
rintl round roundf roundl scalbln scalblnf scalblnl scalbn scalbnf scalbnl scanf setbuf setjmp setlocale
setvbuf short sig_atomic_t signal signbit signed sin sinf sinh sinhf sinhl sinl size_t sizeof snprintf
sprintf sqrt sqrtf sqrtl srand sscanf static static_assert static_cast std stderr stdin stdout strcat
strchr strcmp strcoll strcpy strcspn strerror strftime strlen strncat strncmp strncpy strpbrk strrchr
strspn strstr strtod strtof strtoimax strtok strtol strtold strtoll strtoul strtoull strtoumax struct
strxfrm switch swprintf swscanf system tan tanf tanh tanhf tanhl tanl template tgamma tgammaf tgammal
this thrd_busy thrd_create thrd_current thrd_detach thrd_equal thrd_error thrd_exit thrd_join thrd_nomem
thrd_sleep thrd_start_t thrd_success thrd_t thrd_timedout thrd_yield thread_local throw time time_t
timespec_get tmpfile tmpnam tolower toupper towctrans towlower towupper true trunc truncf truncl try
tss_create tss_delete tss_dtor_t tss_get tss_set tss_t typedef typeid typename typeof typeof_unqual
uintmax_t uintptr_t ungetc ungetwc union unix unsigned using va_arg va_copy va_end va_list va_start
vfprintf vfscanf vfwprintf vfwscanf virtual void volatile vprintf vscanf vsnprintf vsprintf vsscanf
vswprintf vswscanf vwprintf vwscanf wchar_t wcrtomb wcscat wcschr wcscmp wcscoll wcscpy wcscspn wcsftime
wcslen wcsncat wcsncmp wcsncpy wcspbrk wcsrchr wcsrtombs wcsspn wcsstr wcstod wcstof wcstoimax wcstok
wcstol wcstold wcstoll wcstombs wcstoul wcstoull wcstoumax wcsxfrm wctob wctomb wctrans wctrans_t wctype
wctype_t while wint_t wmemchr wmemcmp wmemcpy wmemmove wmemset wprintf wscanf xor xor_eq
BIG_ENDIAN BYTE_ORDER CSIGNAL LITTLE_ENDIAN L_ctermid L_cuserid MAXFLOAT NFDBITS PDP_ENDIAN PTRDIFF_WIDTH
P_tmpdir SEEK_DATA SEEK_HOLE SIG_ATOMIC_WIDTH SIZE_WIDTH TIMER_ABSTIME WCHAR_WIDTH WCONTINUED WEXITED
WEXITSTATUS WIFCONTINUED WIFEXITED WIFSIGNALED WIFSTOPPED WINT_WIDTH WNOHANG WNOWAIT WSTOPPED WSTOPSIG
WTERMSIG WUNTRACED alloca be16toh be32toh be64toh htobe16 htobe32 htobe64 htole16 htole32 htole64 issubnormal
iscanonical iseqsig issignaling iszero le16toh le32toh le64toh pthread_cleanup_pop
pthread_cleanup_pop_restore_np pthread_cleanup_push pthread_cleanup_push_defer_np sched_priority strdupa
strndupa
)";

/// int32_t, uint_fast16_t, atomic_int_least8_t; INT32_MAX, UINT64_C, UINTPTR_MAX; PRId64, SCNxPTR.
static bool isIntegerFamily(StringRef name) {
  if (name.consume_front("PRI") || name.consume_front("SCN"))
    return !name.empty() && StringRef("diouxX").contains(name.front());
  auto afterPrefix = [&](StringRef signedPrefix, StringRef unsignedPrefix) {
    return name.consume_front(unsignedPrefix) || name.consume_front(signedPrefix);
  };
  if (afterPrefix("INT", "UINT")) {
    (void)(name.consume_front("_LEAST") || name.consume_front("_FAST") || name.consume_front("MAX") ||
           name.consume_front("PTR"));
    name = name.drop_while(isDigit);
    return name == "_MAX" || name == "_MIN" || name == "_C" || name == "_WIDTH";
  }
  name.consume_front("atomic_");
  if (!afterPrefix("int", "uint"))
    return false;
  (void)(name.consume_front("_least") || name.consume_front("_fast"));
  return name.drop_while(isDigit) == "_t";
}

/// CLOCK_REALTIME, PTHREAD_ONCE_INIT, RTLD_NOW: <time.h>, <sched.h>, <pthread.h>, <dlfcn.h>, <sys/select.h>.
static bool isSystemFamily(StringRef name) {
  static constexpr StringLiteral prefixes[] = {
      "ADJ_",     "CLOCK_", "CLONE_", "CPU_",    "DLFO_", "DL_",      "FD_",  "FP_INT_", "FP_LLOGB",
      "HUGE_VAL", "LM_ID_", "MOD_",   "RENAME_", "RTLD_", "PTHREAD_", "STA_", "SCHED_",  "SNAN"};
  for (StringRef prefix : prefixes)
    if (StringRef rest = name; rest.consume_front(prefix))
      return all_of(rest, [](char c) { return isUpper(c) || isDigit(c) || c == '_'; });
  return false;
}

/// M_PI, M_SQRT1_2l, M_LOG2Ef64x of <math.h>.
static bool isMathConstant(StringRef name) {
  static constexpr StringLiteral constants[] = {"E",        "LOG2E", "LOG10E", "LN2",  "LN10",
                                                "PI",       "PI_2",  "PI_4",   "1_PI", "2_PI",
                                                "2_SQRTPI", "SQRT2", "SQRT1_2"};
  if (!name.consume_front("M_"))
    return false;
  if (name.consume_back("x") && !isDigit(name.empty() ? ' ' : name.back()))
    return false;
  StringRef constant = name;
  if (StringRef digits = name.rtrim("0123456789"); digits.size() < name.size() && digits.ends_with("f"))
    constant = digits.drop_back();
  else if (name.ends_with("f") || name.ends_with("l"))
    constant = name.drop_back();
  return is_contained(constants, constant);
}

bool tilec::isReservedInC(StringRef name) {
  static const StringSet<> set = [] {
    StringSet<> result;
    for (StringRef rest = words.ltrim(); !rest.empty(); rest = rest.ltrim()) {
      StringRef word = rest.take_until([](char c) { return isSpace(c); });
      result.insert(word);
      rest = rest.drop_front(word.size());
    }
    return result;
  }();
  bool implementation = name.starts_with("_") && name.size() > 1 && (name[1] == '_' || isUpper(name[1]));
  return implementation || name.contains("__") || isIntegerFamily(name) || isSystemFamily(name) ||
         isMathConstant(name) || set.contains(name);
}
