"""llama.cpp's own server in a child process, which answers whoever knows its key, on a loopback port.

The file of a model may come from anybody, and a model takes gigabytes: a child may crash over it, gives way
to the window, and ends when nobody has asked anything for a while.
"""

import os
import secrets
import threading
from pathlib import Path
from typing import Any, NamedTuple

from app.config.confinement import give_way
from app.core.sandbox import ChildFailed, Sandbox
from app.domain.cancel import CancelToken
from app.domain.errors import UserError
from app.domain.messages import Message
from app.domain.model_servers import Speed

IDLE_SECONDS = 600.0

_CONTEXT = 4096  # tokens of a prompt and its answer, which take 0.1 to 0.6 GB of memory
_LOADING = 300.0  # seconds for a model to be loaded and tried
_ENDLESS = 1e9  # seconds of processor time; it goes on after the call that started it
_TRIED = 64, 16  # tokens of a prompt and an answer, which take two to ten seconds

_running: list[Any] = []  # in the child: the server


class Endpoint(NamedTuple):
    address: str
    key: str


class Engine:
    """Runs one model at a time, from the first request for it on. Thread-safe.

    Attributes:
        speed: of the model that runs.
    """

    def __init__(self, idle_seconds: float = IDLE_SECONDS) -> None:
        self.speed: Speed | None = None
        self._idle_seconds = idle_seconds
        self._lock = threading.Lock()
        self._child: Sandbox | None = None
        self._model: Path | None = None
        self._endpoint = Endpoint("", "")
        self._users = 0
        self._timer: threading.Timer | None = None

    def runs(self, model: Path) -> bool:
        child = self._child  # which another thread may end
        return child is not None and child.is_alive and self._model == model

    def begin(self, model: Path, name: str, token: CancelToken) -> Endpoint:
        """Return where a model answers until :meth:`end` is called; load it unless it runs.

        Raises:
            UserError: it cannot be loaded.
            Cancelled: by the token.
        """
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
            if not self.runs(model):
                self._stop()
                self._start(model, name, token)
            self._users += 1
            return self._endpoint

    def end(self) -> None:
        """Say that an answer has ended, whether or not it is complete."""
        with self._lock:
            self._users -= 1
            if not self._users:
                self._timer = threading.Timer(self._idle_seconds, self._stop_idle)
                self._timer.daemon = True
                self._timer.start()

    def close(self) -> None:
        """End the child at once. A later answer starts a new one."""
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
            self._stop()

    def _start(self, model: Path, name: str, token: CancelToken) -> None:
        key = secrets.token_urlsafe(32)
        child = Sandbox("model", seconds=_LOADING, memory=None, output=Path(os.devnull), answers=True)
        cores = os.cpu_count() or 2
        try:
            asked = str(model), name, key, cores
            address, *speed = child.call(list, serve, *asked, seconds=_ENDLESS, token=token)
        except ChildFailed as error:
            raise UserError(Message("local.not_loaded", file=model.name)) from error
        self._child, self._model, self._endpoint = child, model, Endpoint(str(address), key)
        self.speed = Speed(*map(float, speed))

    def _stop_idle(self) -> None:
        with self._lock:
            if not self._users:
                self._stop()

    def _stop(self) -> None:
        child, self._child, self._model = self._child, None, None
        if child is not None:
            child.kill()


def serve(model: str, name: str, key: str, cores: int) -> list[str | float]:
    """Load a model in the child, which answers from then on; return its address, and how fast it is.

    It writes with one core less than there are. A prompt is read with all of them, which is what takes long:
    with the lower priority searches stay below 20 ms meanwhile.
    """
    os.environ["GGML_NO_BACKTRACE"] = "1"  # for a crash it would run a debugger
    give_way()
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = model
    params.model_alias = {name}
    params.hostnames, params.port, params.api_keys = ["127.0.0.1"], 0, [key]
    params.n_ctx, params.n_parallel, params.cache_ram_mib = _CONTEXT, 1, 0
    params.cpuparams.n_threads, params.cpuparams_batch.n_threads = max(1, cores - 1), cores
    params.use_jinja, params.default_template_kwargs = True, {"enable_thinking": "false"}
    params.sampling.temp = 0.0
    params.ui = params.endpoint_slots = params.endpoint_props = False
    server = xllamacpp.Server(params)
    _running.append(server)
    prompt, answer = _TRIED
    tried = server.handle_completions(
        {"prompt": "a " * prompt, "n_predict": answer, "ignore_eos": True, "cache_prompt": False}
    )
    speed = tried["timings"]
    return [server.listening_address, speed["prompt_per_second"], speed["predicted_per_second"]]
