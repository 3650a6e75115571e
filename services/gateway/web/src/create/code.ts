// How a table is named to those who are invited: by a link, or by a short code that is told and typed.
//
// Which table a code leads to is the server's to say. A link holds the table's id, and in its fragment the secret of the
// invitation, if the table is not public.

export interface Invitation {
  readonly table: string;
  readonly invite: string;
}

const ID = "[A-Za-z0-9_-]{1,64}";
const PATH = new RegExp(`^/table/(?<table>${ID})$`);
const CODE = /^[0-9A-TV-Z]{6}$/i;

export const linkOf = ({ table, invite }: Invitation, origin: string): string =>
  `${origin}/table/${table}${invite ? `#invite=${invite}` : ""}`;

/** A code as it is shown: in two groups, which are easier to keep in mind. */
export const grouped = (code: string): string => `${code.slice(0, 3)} ${code.slice(3)}`;

/** The invitation that a link is, or the code that was typed, whatever blanks came along; null if it is neither. */
export function read(text: string): Invitation | { readonly code: string } | null {
  const code = text.replace(/[\s-]+/g, "");
  if (CODE.test(code)) return { code };
  const given = text.replace(/\s+/g, "");
  if (!URL.canParse(given)) return null;
  const url = new URL(given);
  const path = PATH.exec(url.pathname)?.groups;
  return path ? { table: path["table"]!, invite: inviteIn(url.hash) } : null;
}

/** The secret in a link's fragment. */
export const inviteIn = (hash: string): string => new URLSearchParams(hash.replace(/^#/, "")).get("invite") ?? "";
