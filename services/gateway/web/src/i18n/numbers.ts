// Numbers as players read them.

/** With a true minus sign. */
export const signed = (number: number): string => String(number).replace("-", "−");
