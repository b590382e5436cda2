import { type ErrorEnvelope, type FieldErrors, NumberText, type Pagination } from "@tillgate/contract";
import type { Response } from "express";
import { stringify } from "lossless-json";

/** Answers 200 with one message and data. */
export const succeed = (response: Response, message: string, data: unknown): void => {
  response.json({ message: { success: [message] }, data });
};

const numberText = { test: (value: unknown) => value instanceof NumberText, stringify: String };

/** Like {@link succeed} for data that may hold numbers of more digits than a float keeps: every digit is sent. */
export const succeedExactly = (response: Response, message: string, data: unknown): void => {
  const answer = { message: { success: [message] }, data };
  response.type("json").send(stringify(answer, undefined, undefined, [numberText]));
};

export type ErrorAnswer = {
  status: number;
  texts: string[];
  fields?: FieldErrors | undefined;
  reason?: string | undefined;
  missing?: string | undefined;
};

/** The error envelope that every API has. */
export const errorEnvelope = ({ status, texts, fields, reason, missing }: ErrorAnswer): ErrorEnvelope => ({
  message: { code: status, error: texts },
  data: [],
  type: "error",
  ...(fields ? { errors: fields } : {}),
  ...(reason ? { reason } : {}),
  ...(missing ? { missing } : {}),
});

/** Answers with the error envelope. */
export function fail(response: Response, answer: ErrorAnswer): void {
  response.status(answer.status).json(errorEnvelope(answer));
}

export const pagination = (
  { page, per_page }: { page: number; per_page: number },
  total: number,
): Pagination => ({
  current_page: page,
  per_page,
  total,
  last_page: Math.max(1, Math.ceil(total / per_page)),
});
