import type { IncomingMessage, ServerResponse } from "node:http";
import { readForm } from "@tillgate/service/web/form";
import { isOwnOrigin } from "@tillgate/service/web/origin";
import type { Config } from "#config.ts";
import { MAX_FORM_BYTES } from "#limits.ts";

/** Why a form was not taken, and the status that says so. */
export type NotOurs = { why: "origin" | "form"; status: number };

/** Reads the form of a POST that one of our own pages sent. Every form of this origin is read here. */
export async function readOwnForm(
  req: IncomingMessage,
  res: ServerResponse,
  { payOrigin }: Pick<Config, "payOrigin">,
): Promise<URLSearchParams | NotOurs> {
  if (!isOwnOrigin(req.headers, payOrigin)) return refused(res, { why: "origin", status: 403 });
  const form = await readForm(req, MAX_FORM_BYTES);
  return typeof form === "number" ? refused(res, { why: "form", status: form }) : form;
}

function refused(res: ServerResponse, notOurs: NotOurs): NotOurs {
  // The unread rest of a body must not be taken for the next request.
  res.setHeader("Connection", "close");
  return notOurs;
}
