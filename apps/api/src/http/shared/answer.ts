import type { ErrorEnvelope, FieldErrors, Pagination } from "@tillgate/contract";
import type { Response } from "express";

/** Answers 200 with one message and data. */
export const succeed = (response: Response, message: string, data: unknown): void => {
  response.json({ message: { success: [message] }, data });
};

export type ErrorAnswer = {
  status: number;
  texts: string[];
  fields?: FieldErrors | undefined;
  reason?: string | undefined;
  missing?: string | undefined;
};

/** Answers with the error envelope that every API has. */
export function fail(response: Response, { status, texts, fields, reason, missing }: ErrorAnswer): void {
  const envelope: ErrorEnvelope = {
    message: { code: status, error: texts },
    data: [],
    type: "error",
    ...(fields ? { errors: fields } : {}),
    ...(reason ? { reason } : {}),
    ...(missing ? { missing } : {}),
  };
  response.status(status).json(envelope);
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
