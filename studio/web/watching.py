"""Whether a server is well, and its numbers: with a key, where others than this machine come."""

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

from ziggurat.studio.web.house import House
from ziggurat.studio.web.metrics import memory_of, own_memory


async def get_health(house: House, request: Request) -> Response:
    """Tell that the server answers."""
    _check(house, request)
    return JSONResponse({"status": "ok"})


async def get_metrics(house: House, request: Request) -> Response:
    """Tell the numbers of the server as Prometheus reads them."""
    _check(house, request)
    hall = house.hall
    awake = hall.awake_count
    gauges = {
        "tables_awake": ("Tables in memory.", awake),
        "tables_asleep": ("Tables on the disk alone.", hall.count - awake),
        "streams": ("Streams of events that are open.", sum(house.streams.values())),
        "waiting": ("Requests of people that wait for a thread.", hall.waiting),
    }

    def text() -> str:
        memory = {"server": own_memory()}
        memory |= {name: memory_of(pids) for name, pids in hall.processes.items()}
        return hall.metrics.text(gauges, memory)

    return PlainTextResponse(
        await hall.work(text), media_type="text/plain; version=0.0.4; charset=utf-8"
    )


def _check(house: House, request: Request) -> None:
    if not house.keys.is_open:
        house.check_house_key(request)
