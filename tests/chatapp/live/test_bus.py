"""A failing Redis raises no error: a process that asks others learns that none of them heard."""

import uvloop

from chatapp.live.bus import EVERYBODY, Bus


def test_a_connection_that_was_closed_in_the_meantime_reaches_nobody(shared):
    async def asked():
        bus = Bus()
        bus.open("us")
        bus.is_connected = True
        connection = await bus._redis.connection_pool.get_connection()
        await bus._redis.connection_pool.release(connection)
        connection._writer.transport.abort()
        told = await bus.ask(EVERYBODY, "stop")
        await bus.close()
        return told

    assert uvloop.run(asked()) == 0
