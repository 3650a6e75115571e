// Figures as players read them, and the chart of the last games. Pure.

/** How long a game took: "4:07", or "1:02:30". */
export function lasted(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const two = (number: number) => String(number).padStart(2, "0");
  return h ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

/** A share of 0 to 1 as "37 %", in the way of the language; never more than 100 %, and 100 % only if it is all. */
export function percent(share: number, language: string): string {
  const whole = share >= 1 ? 1 : Math.min(0.99, Math.max(0, Math.round(share * 100) / 100));
  return new Intl.NumberFormat(language, { style: "percent" }).format(whole);
}

export interface Bar {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export const CHART = { width: 320, height: 96, most: 48 } as const;

/** A bar for each game, oldest first, by how many cards were removed; one of none is still to be seen. */
export function bars(removed: readonly number[]): Bar[] {
  const step = CHART.width / Math.max(10, removed.length);
  return removed.map((count, i) => {
    const height = Math.max(2, (Math.min(count, CHART.most) / CHART.most) * CHART.height);
    return { x: i * step + step * 0.1, y: CHART.height - height, width: step * 0.8, height };
  });
}
