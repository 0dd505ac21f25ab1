import { PYTHON_CHAIN } from "../python-chain.ts";

/** `sitecustomize.py` for `--sleep virtual`. Python loads it from PYTHONPATH when it starts. */
export const SITECUSTOMIZE = String.raw`# Sleeps of this program move docdouble's clock, and take no real time.
import importlib.machinery
import os
import sys
${PYTHON_CHAIN}

def _install(address, key):
    import datetime
    import json
    import select
    import socket
    import threading
    import time

    host, port = address.split("://", 1)[1].split(":")
    real_sleep, real_monotonic = time.sleep, time.monotonic
    real_time, real_perf = time.time, time.perf_counter
    real_time_ns, real_monotonic_ns, real_perf_ns = time.time_ns, time.monotonic_ns, time.perf_counter_ns
    real_acquire = threading.Lock
    state = {"ahead": 0.0, "calls": 0, "asleep": 0}
    guard = real_acquire()
    try:
        with open("/proc/sys/kernel/random/boot_id") as file:
            machine = file.read().strip() + "/" + os.readlink("/proc/self/ns/pid")
    except OSError:
        machine = ""

    class Asked:
        """One sleep on docdouble's clock. It opens a separate socket."""

        def __init__(self, seconds, others):
            self.began = real_monotonic() + state["ahead"]
            self.seconds = seconds
            body = json.dumps({"by": max(0, int(-(-seconds * 1000 // 1))), "process": "%d@%s" % (os.getpid(), machine), "others": max(0, others)})
            head = (
                "POST /__admin/clock/sleep HTTP/1.1\r\nhost: %s:%s\r\nauthorization: API-Key %s\r\nconnection: close\r\n"
                "content-type: application/json\r\ncontent-length: %d\r\n\r\n" % (host, port, key, len(body))
            )
            self.text = b""
            self.socket = socket.create_connection((host, int(port)))
            self.socket.sendall((head + body).encode())

        def fileno(self):
            return self.socket.fileno()

        def wait(self, limit=None):
            """True once docdouble answered."""
            ready, _, _ = select.select([self.socket], [], [], limit)
            if not ready:
                return False
            more = self.socket.recv(65536)
            self.text += more
            answer = self.text.decode("utf-8", "replace")
            if more and '"to"' not in answer.split("\r\n\r\n", 1)[-1] and not answer.startswith(("HTTP/1.1 4", "HTTP/1.1 5")):
                return False
            self.settle(answer)
            return True

        def settle(self, answer):
            import re

            found = re.search(r'"from":\s*"([^"]+)",\s*"to":\s*"([^"]+)"', answer)
            slept = self.seconds
            if found:
                begin, end = (RealDatetime.fromisoformat(one.replace("Z", "+00:00")) for one in found.groups())
                slept = max(slept, (end - begin).total_seconds())
            with guard:
                state["ahead"] = max(state["ahead"], self.began + slept - real_monotonic())
            self.close()

        def close(self):
            self.socket.close()

    def others():
        return threading.active_count() - state["asleep"] - 1

    def calm():
        """A call of another thread goes first, unless it gets no answer."""
        began = real_monotonic()
        while state["calls"] > 0 and real_monotonic() - began < 0.2:
            real_sleep(0.001)

    class Asleep:
        def __enter__(self):
            with guard:
                state["asleep"] += 1

        def __exit__(self, *_):
            with guard:
                state["asleep"] -= 1

    def sleep(seconds):
        if seconds <= 0:
            return real_sleep(seconds)
        calm()
        try:
            free = others()
            with Asleep():
                asked = Asked(float(seconds), free)
                while not asked.wait():
                    pass
        except OSError:
            real_sleep(seconds)

    def wait(self, timeout=None):
        """threading.Condition.wait. Event, Queue and futures wait with it."""
        if timeout is None or timeout <= 0 or not self._is_owned():
            return real_wait(self, timeout)
        waiter = real_allocate()
        waiter.acquire()
        self._waiters.append(waiter)
        saved = self._release_save()
        got = False
        asked = None
        try:
            calm()
            free = others()
            with Asleep():
                try:
                    asked = Asked(float(timeout), free)
                except OSError:
                    got = waiter.acquire(True, timeout)
                while asked is not None:
                    got = waiter.acquire(True, 0.001)
                    if got or asked.wait(0):
                        break
            if not got:
                got = waiter.acquire(False)
            return got
        finally:
            if asked is not None:
                asked.close()
            self._acquire_restore(saved)
            if not got:
                try:
                    self._waiters.remove(waiter)
                except ValueError:
                    pass

    real_wait = threading.Condition.wait
    real_allocate = threading._allocate_lock
    RealDatetime = datetime.datetime

    class Meta(type(RealDatetime)):
        def __instancecheck__(cls, one):
            return isinstance(one, RealDatetime)

        def __subclasscheck__(cls, one):
            return issubclass(one, RealDatetime)

    class Datetime(RealDatetime, metaclass=Meta):
        @classmethod
        def now(cls, tz=None):
            return RealDatetime.now(tz) + datetime.timedelta(seconds=state["ahead"])

        @classmethod
        def utcnow(cls):
            return RealDatetime.utcnow() + datetime.timedelta(seconds=state["ahead"])

        @classmethod
        def today(cls):
            return cls.now()

    Datetime.__name__ = Datetime.__qualname__ = "datetime"
    Datetime.__module__ = "datetime"
    datetime.datetime = Datetime

    def ns():
        return int(state["ahead"] * 1e9)

    time.sleep = sleep
    time.time = lambda: real_time() + state["ahead"]
    time.monotonic = lambda: real_monotonic() + state["ahead"]
    time.perf_counter = lambda: real_perf() + state["ahead"]
    time.time_ns = lambda: real_time_ns() + ns()
    time.monotonic_ns = lambda: real_monotonic_ns() + ns()
    time.perf_counter_ns = lambda: real_perf_ns() + ns()
    threading.Condition.wait = wait
    # Libraries look these functions up by their module and name.
    for name in ("sleep", "time", "monotonic", "perf_counter", "time_ns", "monotonic_ns", "perf_counter_ns"):
        patched = getattr(time, name)
        patched.__module__, patched.__name__, patched.__qualname__ = "time", name, name
    threading._time = time.monotonic
    for name in ("queue", "_queue"):
        if name in sys.modules and hasattr(sys.modules[name], "time"):
            sys.modules[name].time = time.monotonic

    def count_calls():
        """urllib, requests and other clients of http.client. A call is open from its request to the head of its answer."""
        import http.client as client

        begin, answer, close = client.HTTPConnection.putrequest, client.HTTPConnection.getresponse, client.HTTPConnection.close

        def counted(connection, change):
            with guard:
                is_open = getattr(connection, "_docdouble_open", False)
                if is_open != (change > 0):
                    connection._docdouble_open = change > 0
                    state["calls"] += change

        def putrequest(self, *args, **kwargs):
            counted(self, 1)
            return begin(self, *args, **kwargs)

        def getresponse(self, *args, **kwargs):
            try:
                return answer(self, *args, **kwargs)
            finally:
                counted(self, -1)

        def closed(self):
            counted(self, -1)
            return close(self)

        client.HTTPConnection.putrequest = putrequest
        client.HTTPConnection.getresponse = getresponse
        client.HTTPConnection.close = closed

    def loops():
        """asyncio waits in its selector, which then also waits for docdouble."""
        import asyncio.selector_events as events
        import selectors

        begin = events.BaseSelectorEventLoop.__init__

        def init(self, *args, **kwargs):
            begin(self, *args, **kwargs)
            selector = self._selector
            select_ = selector.select

            def select(timeout=None):
                ready = select_(0)
                if ready or (timeout is not None and timeout <= 0):
                    return ready
                if timeout is None:
                    return select_(None)
                # Answers of calls arrive before longer waits.
                waits = [key for key in selector.get_map().values() if key.fileobj is not self._ssock]
                if waits:
                    ready = select_(min(timeout, 0.03))
                    if ready:
                        return ready
                try:
                    free = others()
                    with Asleep():
                        asked = Asked(timeout, free)
                        selector.register(asked, selectors.EVENT_READ, None)
                        try:
                            while True:
                                ready = select_(None)
                                mine = [one for one in ready if one[0].fileobj is asked]
                                rest = [one for one in ready if one[0].fileobj is not asked]
                                if rest or (mine and asked.wait(0)):
                                    return rest
                        finally:
                            selector.unregister(asked)
                            asked.close()
                except OSError:
                    return select_(timeout)

            selector.select = select

        events.BaseSelectorEventLoop.__init__ = init

    _later("http.client", count_calls)
    _later("asyncio.selector_events", loops)
    try:
        Asked(0, 0).wait(1)
    except OSError:
        pass


try:
    _own()
finally:
    if os.environ.get("DOCDOUBLE_SLEEP"):
        _install(*os.environ["DOCDOUBLE_SLEEP"].split(" ", 1))
`;
