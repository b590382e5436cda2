import type { Request } from "express";

/** Whether this browser is a phone's or a tablet's: by its client hint, else by its name, as WordPress decides it. */
export function isPhone({ headers }: Pick<Request, "headers">): boolean {
  const hint = headers["sec-ch-ua-mobile"];
  if (hint !== undefined) return hint === "?1";
  return /\b(?:Mobile|Android|iPhone|iPad)\b/.test(headers["user-agent"] ?? "");
}
