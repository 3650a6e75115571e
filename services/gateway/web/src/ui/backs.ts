// How seats are told apart: a colour, a pattern and a letter each, so that nobody depends on colour (RD-1).

export interface Back {
  readonly letter: string;
  readonly colour: string;
  /** What is drawn on a tile of 8 by 8. */
  readonly pattern: string;
}

export const BACKS: readonly Back[] = [
  { letter: "A", colour: "#1d4ed8", pattern: "M0 0L8 8M-2 6L2 10M6-2L10 2" },
  { letter: "B", colour: "#b91c1c", pattern: "M4 1V7M1 4H7" },
  { letter: "C", colour: "#92400e", pattern: "M0 2H8M0 6H8" },
  { letter: "D", colour: "#7e22ce", pattern: "M4 0L8 4L4 8L0 4Z" },
  { letter: "E", colour: "#0f766e", pattern: "M0 4Q2 0 4 4T8 4" },
  { letter: "F", colour: "#be185d", pattern: "M2 4a2 2 0 1 0 4 0a2 2 0 1 0-4 0" },
  { letter: "G", colour: "#3f6212", pattern: "M0 0L8 8M8 0L0 8" },
  { letter: "H", colour: "#374151", pattern: "M2 0V8M6 0V8" },
];

export const back = (seat: number): Back => BACKS[seat % BACKS.length]!;
