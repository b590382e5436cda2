import type { NextApiRequest, NextApiResponse } from "next";
import { streamFile } from "#http/stream-file.ts";
import { joinPath } from "#paths.ts";
import { single } from "#server/request.ts";

export const config = { api: { responseLimit: false } };

/** Streams a wallet's statement for a range of days, as CSV or camt.053. An empty `from` or `to` is ignored. */
export default async function exportStatement(
  request: NextApiRequest,
  response: NextApiResponse,
): Promise<void> {
  const { merchant = "", mode = "", currency = "", format = "", from, to, dialect } = request.query;
  const merchantPath = ["merchants", String(merchant), String(mode)];
  const path = joinPath(...merchantPath, "wallets", String(currency), `statement.${format}`);
  await streamFile(request, response, path, {
    ...{ from: single(from), to: single(to), dialect: single(dialect) },
  });
}
