// How a table is named to those who are invited: as a link, or as a code to be typed.
//
// A code is the table's id, and after a dot the secret of its invitation, if it is not public.

export interface Invitation {
  readonly table: string;
  readonly invite: string;
}

const ID = "[A-Za-z0-9_-]{1,64}";
const CODE = new RegExp(`^(?<table>${ID})(?:\\.(?<invite>[A-Za-z0-9_-]{1,200}))?$`);
const PATH = new RegExp(`^/table/(?<table>${ID})$`);

export const codeOf = ({ table, invite }: Invitation): string => (invite ? `${table}.${invite}` : table);

export const linkOf = ({ table, invite }: Invitation, origin: string): string =>
  `${origin}/table/${table}${invite ? `#invite=${invite}` : ""}`;

/** The invitation that a link or a code is, whatever blanks came along; null if it is neither. */
export function read(text: string): Invitation | null {
  const given = text.replace(/\s+/g, "");
  const code = CODE.exec(given)?.groups;
  if (code) return { table: code["table"]!, invite: code["invite"] ?? "" };
  if (!URL.canParse(given)) return null;
  const url = new URL(given);
  const path = PATH.exec(url.pathname)?.groups;
  return path ? { table: path["table"]!, invite: inviteIn(url.hash) } : null;
}

/** The secret in a link's fragment. */
export const inviteIn = (hash: string): string => new URLSearchParams(hash.replace(/^#/, "")).get("invite") ?? "";
