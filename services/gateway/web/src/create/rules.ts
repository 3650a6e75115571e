// House rules as they are chosen and shown: what differs, where each is explained. Which there are, the server says.
import type { HouseRules } from "../net/rest";

export type Rules = Readonly<Record<string, unknown>>;
export type Option = HouseRules["options"][number];

/** In which order they are asked for, and what goes together. */
export const GROUPS = [
  ["deal", ["demon_size", "draw", "passes", "gap_fill"]],
  ["race", ["contest", "tie_window_ms"]],
  ["end", ["call", "in_motion", "stuck", "dispute"]],
  ["count", ["out_bonus", "demon_penalty"]],
  ["match", ["target", "hands", "match_end", "teams"]],
  ["words", ["names"]],
] as const;
export type Group = (typeof GROUPS)[number][0];

/** The rule that an option is part of (docs/rules.md). */
const RULE: Readonly<Record<string, string>> = {
  demon_size: "RD-2",
  draw: "RD-9",
  passes: "RD-9",
  gap_fill: "RD-5",
  contest: "RD-8",
  tie_window_ms: "RD-8",
  call: "RD-11",
  in_motion: "RD-11",
  out_bonus: "RD-12",
  demon_penalty: "RD-12",
  stuck: "RD-10",
  target: "RD-13",
  hands: "RD-13",
  match_end: "RD-13",
  teams: "RD-13",
  dispute: "RD-13",
  names: "RD-11",
};

export const ruleOf = (option: string): string | null => RULE[option] ?? null;

export const equal = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** The options of the group; what no group names is among those of the match. */
export function optionsOf(catalogue: HouseRules, group: Group): Option[] {
  const named = new Set<string>(GROUPS.flatMap(([, names]) => names));
  const names: readonly string[] = GROUPS.find(([each]) => each === group)![1];
  const found = names.flatMap((name) => catalogue.options.filter((option) => option.name === name));
  return group === "match" ? [...found, ...catalogue.options.filter(({ name }) => !named.has(name))] : found;
}

/** Only what differs from the preset and is an option at all. */
export function changesOf(catalogue: HouseRules, preset: string, rules: Rules): Record<string, unknown> {
  const standard = catalogue.presets[preset] ?? {};
  return Object.fromEntries(
    Object.entries(rules).filter(([name, value]) => name in standard && !equal(value, standard[name])),
  );
}

/** What of a table's rules differs from the defaults, in the order in which they are asked for. */
export function differences(catalogue: HouseRules, rules: Rules): { option: Option; value: unknown }[] {
  return GROUPS.flatMap(([group]) => optionsOf(catalogue, group))
    .filter(({ name, default: usual }) => name in rules && !equal(rules[name], usual))
    .map((option) => ({ option, value: rules[option.name] }));
}

/** One number for each seat, from one for all, or from those of another number of seats. */
export function perSeat(value: unknown, seats: number, otherwise: number): number[] {
  const given: unknown[] = Array.isArray(value) ? value : Array.from({ length: seats }, () => value);
  return Array.from({ length: seats }, (_, seat) => (typeof given[seat] === "number" ? given[seat] : otherwise));
}
