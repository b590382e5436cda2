import {
  type ReportDay,
  type ReportFeed,
  reportDayResponseSchema,
  reportFeedResponseSchema,
  reportWalletsResponseSchema,
} from "@tillgate/contract";
import { expect } from "vitest";
import type { ApiResponse, PayApi } from "./requests.js";

/** Parses the data of a response. Fails unless the status is 200. */
export const readData = <Data>(
  schema: { parse(body: unknown): { data: Data } },
  { status, body, text }: ApiResponse,
): Data => {
  expect({ status, text }).toMatchObject({ status: 200 });
  return schema.parse(body).data;
};

export const listReportWallets = async (api: PayApi) =>
  readData(reportWalletsResponseSchema, await api.get("/reports/wallets")).wallets;

export const readReportDay = async (
  api: PayApi,
  wallet: string,
  date: string,
  query: Record<string, string> = {},
): Promise<ReportDay> =>
  readData(reportDayResponseSchema, await api.get(`/reports/${wallet}/${date}`, query));

export const readReportFeed = async (api: PayApi, wallet: string, cursor?: string): Promise<ReportFeed> =>
  readData(
    reportFeedResponseSchema,
    await api.get(`/reports/${wallet}/feed`, {
      per_page: "100",
      ...(cursor === undefined ? {} : { cursor }),
    }),
  );

/** Downloads `statement.csv` or `statement.xml`. */
export const readStatementFile = async (
  api: PayApi,
  wallet: string,
  file: string,
  query: Record<string, string>,
): Promise<ApiResponse> => {
  const response = await api.get(`/reports/${wallet}/${file}`, query);
  expect({ status: response.status, text: response.text }).toMatchObject({ status: 200 });
  return response;
};
