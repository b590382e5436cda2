import type { NextApiRequest, NextApiResponse } from "next";
import { passOnFile } from "../../../../../http/pass-on-file";
import { pathOf } from "../../../../../place-path";

export const config = { api: { responseLimit: false } };

/** What has become of each line of a file of payouts, as a file. */
export default async function batchResult(request: NextApiRequest, response: NextApiResponse): Promise<void> {
  const { merchant = "", mode = "", batch = "" } = request.query;
  const place = ["merchants", String(merchant), String(mode)];
  await passOnFile(request, response, pathOf(...place, "payouts", "batches", String(batch), "result.csv"));
}
