"""What a process keeps from its children, and what a child may not do.

The reader parses files of unknown origin. A flaw in a parser must not reach a key, nor send anything.
"""

import contextlib
import functools
import os
import platform
import struct
import sys

from app.config.redaction import is_secret

# By machine: its number in <linux/audit.h>, the number of the call seccomp, and those of the calls refused,
# which open a connection (socket, the first, and io_uring_setup) or reach into another process (ptrace,
# process_vm_readv, process_vm_writev, pidfd_getfd). Connected pairs come from socketpair, which stays
# allowed.
_CALLS = {
    "x86_64": (0xC000003E, 317, (41, 425, 101, 310, 311, 438)),
    "aarch64": (0xC00000B7, 277, (198, 425, 117, 270, 271, 438)),
}
_PR_SET_NO_NEW_PRIVS = 38
_SECCOMP_SET_MODE_FILTER, _SECCOMP_FILTER_FLAG_TSYNC = 1, 1
_AF_UNIX = 1
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
    """Let the system run other processes first, above all the one that started this one."""
    if sys.platform == "win32":
        import ctypes

        process = ctypes.c_void_p(-1)  # this one
        ctypes.windll.kernel32.SetPriorityClass(process, _BELOW_NORMAL)
    else:
        os.nice(10)


def forbid_network(*, but_local: bool = False) -> str:
    """Make every later attempt to open a socket fail, in all threads; return why not, or an empty string.

    With ``but_local`` sockets between processes of this computer are allowed. On Linux only. Needs no rights.
    """
    machine = platform.machine()
    if sys.platform != "linux" or machine not in _CALLS:
        return f"not known on {sys.platform} {machine}"
    import ctypes  # not where a window starts

    number, seccomp, refused = _CALLS[machine]
    code = _filter(number, refused, but_local=but_local)
    instructions = ctypes.create_string_buffer(code, len(code))
    program = struct.pack("@HP", len(code) // 8, ctypes.addressof(instructions))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) or libc.syscall(
        ctypes.c_long(seccomp), _SECCOMP_SET_MODE_FILTER, _SECCOMP_FILTER_FLAG_TSYNC, program
    ):
        return os.strerror(ctypes.get_errno())
    return ""


def _filter(machine: int, refused: tuple[int, ...], *, but_local: bool) -> bytes:
    """Return a seccomp program that refuses these calls, and those made as on another machine."""
    load, equal, at_least, leave = 0x20, 0x15, 0x35, 0x06
    allow, refuse = 0x7FFF0000, 0x00050001  # the latter fails with EPERM
    call_number, machine_number, argument = 0, 4, 16  # where the kernel's description of a call has them
    code = [(load, 0, 0, machine_number), (equal, 1, 0, machine), (leave, 0, 0, refuse)]
    code += [(load, 0, 0, call_number)]
    socket, *others = refused
    for test, number in ((at_least, _OTHER_INTERFACE), *((equal, number) for number in others)):
        code += [(test, 0, 1, number), (leave, 0, 0, refuse)]
    family = [(load, 0, 0, argument), (equal, 1, 0, _AF_UNIX)] if but_local else []
    code += [(equal, 0, len(family) + 1, socket), *family, (leave, 0, 0, refuse)]
    code += [(leave, 0, 0, allow)]
    return b"".join(struct.pack("HBBI", *instruction) for instruction in code)
