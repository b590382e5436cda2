import type { NextApiRequest, NextApiResponse } from "next";
import { streamFile } from "#http/stream-file.ts";
import { joinPath } from "#paths.ts";
import { single } from "#server/request.ts";

export const config = { api: { responseLimit: false } };

/** Streams the filtered audit log as a file. Ignores empty filters. */
export default async function exportAudit(request: NextApiRequest, response: NextApiResponse): Promise<void> {
  const { format = "", ...query } = request.query;
  const filters = Object.fromEntries(
    Object.entries(query).map(([name, value]) => [name, single(value) || undefined]),
  );
  await streamFile(request, response, joinPath("administration", `audit.${format}`), filters);
}
