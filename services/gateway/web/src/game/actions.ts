// What a seat can do: each a frame to the edge without the number, the hand and what was seen, which are the outbox's.
import type * as frames from "../generated/frames";

type Bare<Frame> = Omit<Frame, "n" | "hand" | "seen" | "digest">;

export type PlayAction = Bare<frames.Play>;
export type MoveAction = Bare<frames.Move>;
export type AcesAction =
  | Bare<frames.Row>
  | Bare<frames.Remove>
  | Bare<frames.Fill>
  | Bare<frames.Undo>
  | Bare<frames.Redo>
  | Bare<frames.GiveUp>;
export type Action =
  | PlayAction
  | MoveAction
  | Bare<frames.Turn>
  | Bare<frames.Recycle>
  | Bare<frames.Call>
  | Bare<frames.Vote>
  | AcesAction;
