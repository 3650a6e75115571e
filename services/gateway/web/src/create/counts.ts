/** How many can play at a table. */
export const COUNTS = [2, 3, 4, 5, 6, 7, 8];
