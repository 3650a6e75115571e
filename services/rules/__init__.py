"""The rules of Racing Demon as a pure library: no I/O, no clock, no asyncio."""
