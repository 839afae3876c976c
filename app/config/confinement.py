"""Keeps secrets from child processes, and restricts what they may do.

Children parse files of unknown origin. A flaw in a parser must not expose a key or send anything.
"""

import contextlib
import functools
import os
import platform
import struct
import sys

from app.config.redaction import is_secret

# By machine: its number in <linux/audit.h>, the number of the call seccomp, and those of the calls refused:
# always those that reach into another process (ptrace, process_vm_readv, process_vm_writev, pidfd_getfd) or
# around these rules (io_uring_setup); those that open a socket (socket); and those that reach another
# computer from an open one (sendto, the first, with an address; connect, sendmsg, sendmmsg). Connected
# pairs come from socketpair, which stays allowed.
_CALLS = {
    "x86_64": (0xC000003E, 317, (101, 310, 311, 438, 425), (41,), (44, 42, 46, 307)),
    "aarch64": (0xC00000B7, 277, (117, 270, 271, 438, 425), (198,), (206, 203, 211, 269)),
}
_PR_SET_NO_NEW_PRIVS = 38
_SECCOMP_SET_MODE_FILTER, _SECCOMP_FILTER_FLAG_TSYNC = 1, 1
_AF_UNIX = 1
_FAMILY, _ADDRESS = 16, 48  # places of arguments, of socket and sendto, in a call's description
_BELOW_NORMAL = 0x4000  # BELOW_NORMAL_PRIORITY_CLASS
_OTHER_INTERFACE = 0x40000000  # x86-64's x32 has the same calls from here on


def guard_secrets() -> None:
    """Keep secret variables from processes started from now on, and the memory from core dumps.

    ``os.environ``, where this process looks them up, still has the variables.
    """
    for name, value in list(os.environ.items()):
        if is_secret(name, value):
            os.unsetenv(name)
    # On Linux, 0 does not stop a dump that goes to a program such as systemd-coredump, but 1 does.
    limit("RLIMIT_CORE", 1 if sys.platform == "linux" else 0)


def drop_secrets() -> None:
    """Drop secret variables that were handed over nevertheless, as on Windows in a virtual environment."""
    for name, value in list(os.environ.items()):
        if is_secret(name, value):
            del os.environ[name]


def limit(kind: str, value: int) -> None:
    """Lower a limit of this process, such as ``RLIMIT_AS``, where the system has it."""
    # Not known on Windows; macOS refuses to limit memory.
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        number = getattr(resource, kind)
        resource.setrlimit(number, (value, resource.getrlimit(number)[1]))


@functools.cache  # each call would lower it further
def give_way() -> None:
    """Lower the priority of this process, so that others run first."""
    if sys.platform == "win32":
        import ctypes

        process = ctypes.c_void_p(-1)  # this one
        ctypes.windll.kernel32.SetPriorityClass(process, _BELOW_NORMAL)
    else:
        os.nice(10)


def forbid_network(*, but_local: bool = False, but_answers: bool = False) -> str:
    """Make every later attempt to open a socket fail, in all threads; return why not, or an empty string.

    With ``but_local`` sockets between processes of this computer are allowed, with ``but_answers`` those that
    only answer whoever connects to them. On Linux only. Needs no rights.
    """
    machine = platform.machine()
    if sys.platform != "linux" or machine not in _CALLS:
        return f"not known on {sys.platform} {machine}"
    import ctypes  # not where a window starts

    number, seccomp, always, opening, reaching = _CALLS[machine]
    # Each call refused, with the arguments, by place and value, with which it is allowed.
    refused: dict[int, tuple[tuple[int, int], ...]] = dict.fromkeys(always, ())
    if but_answers:
        refused |= {**dict.fromkeys(reaching, ()), reaching[0]: ((_ADDRESS, 0), (_ADDRESS + 4, 0))}
    else:
        refused |= dict.fromkeys(opening, ((_FAMILY, _AF_UNIX),) if but_local else ())
    code = _filter(number, refused)
    instructions = ctypes.create_string_buffer(code, len(code))
    program = struct.pack("@HP", len(code) // 8, ctypes.addressof(instructions))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) or libc.syscall(
        ctypes.c_long(seccomp), _SECCOMP_SET_MODE_FILTER, _SECCOMP_FILTER_FLAG_TSYNC, program
    ):
        return os.strerror(ctypes.get_errno())
    return ""


def _filter(machine: int, refused: dict[int, tuple[tuple[int, int], ...]]) -> bytes:
    """Return a seccomp program that refuses these calls, and those made as on another machine."""
    load, equal, at_least, leave = 0x20, 0x15, 0x35, 0x06
    allow, refuse = (leave, 0, 0, 0x7FFF0000), (leave, 0, 0, 0x00050001)  # the latter fails with EPERM
    call_number, machine_number = 0, 4  # where the kernel's description of a call has them
    code = [(load, 0, 0, machine_number), (equal, 1, 0, machine), refuse, (load, 0, 0, call_number)]
    code += [(at_least, 0, 1, _OTHER_INTERFACE), refuse]
    for number, arguments in refused.items():
        rule = []
        for left, (place, value) in zip(range(len(arguments), 0, -1), arguments, strict=True):
            rule += [(load, 0, 0, place), (equal, 0, 2 * left - 1, value)]  # else on to its end
        rule += [allow, refuse] if arguments else [refuse]
        code += [(equal, 0, len(rule), number), *rule]
    code += [allow]
    return b"".join(struct.pack("HBBI", *instruction) for instruction in code)
