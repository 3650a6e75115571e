// How options and their values are called; those that this page does not know yet by their names in the protocol.
import { t, tOr } from "../i18n/i18n.svelte";

export const nameOf = (option: string): string => tOr(`option.${option}.name`, "rulesOf.named", { name: option });
export const textOf = (option: string): string => tOr(`option.${option}.text`, "rulesOf.unknown");
export const refusalOf = (option: string): string => tOr(`option.${option}.refused`, "rulesOf.refused");

export function valueOf(option: string, value: unknown): string {
  if (Array.isArray(value)) return value.join(", ");
  if (option === "names") return tOr(`words.${String(value)}.call`, "rulesOf.named", { name: String(value) });
  return tOr(`option.${option}.v.${String(value)}`, "rulesOf.named", { name: String(value) });
}

/** The preset's name, or that the rules are one's own. */
export const presetOf = (preset: string | null): string =>
  preset ? tOr(`preset.${preset}`, "preset.own") : t("preset.own");
