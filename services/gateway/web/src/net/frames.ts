// The frames of the table socket (docs/protocol.md): what the server's schemas say, and the table from the REST one.
import type * as wire from "../generated/frames";
import type { components } from "../generated/rest";

export type { Event, Verdict } from "../generated/frames";
export type Table = components["schemas"]["Table"];
export type TableSeat = components["schemas"]["Seat"];
export type Snapshot = wire.Snapshot | wire.GameSnapshot;
type WithTable<Frame> = Omit<Frame, "table"> & { table: Table };
export type ServerFrame =
  | WithTable<wire.Welcome>
  | WithTable<wire.Table>
  | Exclude<wire.ClientOut, wire.Welcome | wire.Table>
  | wire.Verdict
  | Snapshot;

export const VERSION = "pandemonium.v1";

/** Whether a text is an event, whose very bytes the digest is taken over. */
export const isEvent = (text: string): boolean => text.startsWith('{"seq":');
