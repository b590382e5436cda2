import type { NextApiRequest, NextApiResponse } from "next";
import { streamFile } from "#http/stream-file.ts";
import { joinPath } from "#paths.ts";
import { single } from "#server/request.ts";

export const config = { api: { responseLimit: false } };

export default async function exportList(request: NextApiRequest, response: NextApiResponse): Promise<void> {
  const { merchant = "", mode = "", file = "", format = "", ...query } = request.query;
  const path = joinPath("merchants", String(merchant), String(mode), `${file}.${format}`);
  const filters = Object.fromEntries(Object.entries(query).map(([name, value]) => [name, single(value)]));
  await streamFile(request, response, path, filters);
}
