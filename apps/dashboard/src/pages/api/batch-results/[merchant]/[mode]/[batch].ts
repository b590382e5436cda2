import type { NextApiRequest, NextApiResponse } from "next";
import { streamFile } from "#http/stream-file.ts";
import { joinPath } from "#paths.ts";
import { single } from "#server/request.ts";

export const config = { api: { responseLimit: false } };

export default async function batchResult(request: NextApiRequest, response: NextApiResponse): Promise<void> {
  const { merchant = "", mode = "", batch = "", dialect } = request.query;
  const merchantPath = ["merchants", String(merchant), String(mode)];
  const path = joinPath(...merchantPath, "payouts", "batches", String(batch), "result.csv");
  await streamFile(request, response, path, { dialect: single(dialect) });
}
