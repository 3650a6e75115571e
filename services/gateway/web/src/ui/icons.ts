// What is drawn, on a field of 24 by 24.
export const ICONS = {
  play: "M7 4.5v15l13-7.5z",
  pause: "M6 4.5h4.5v15H6zM13.5 4.5H18v15h-4.5z",
  forward: "M5 5v14l9-7zM15.5 5H18v14h-2.5z",
  back: "M19 5v14l-9-7zM6 5h2.5v14H6z",
  next: "M3 5v14l8-7zM11 5v14l8-7zM19 5h2.2v14H19z",
  previous: "M21 5v14l-8-7zM13 5v14l-8-7zM2.8 5H5v14H2.8z",
  share: "M12 2l5 5-1.4 1.4L13 5.8V15h-2V5.8L8.4 8.4 7 7zM5 10h3v2H7v8h10v-8h-1v-2h3v12H5z",
} as const;
