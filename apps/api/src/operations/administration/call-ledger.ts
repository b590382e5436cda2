import { Refusal } from "@tillgate/contract";
import { callOne, type LedgerFunction, ledger } from "@tillgate/database";
import type { Context } from "../../context.js";
import { callLedger, repeating } from "../../ledger/call.js";
import { WalletClosedError } from "../../ledger/refusals.js";
import { OperationError } from "../../operation-error.js";
import type { Change } from "./administrator.js";
import { changeOnConnection, type Recorded, recordOnConnection } from "./change.js";

/**
 * Calls one SQL function that moves money and writes its audit record: the call is the transaction. A dry run makes the
 * same call, checks what a commit would check, and rolls back.
 * @param named makes the arguments for every try, so that an id that is taken is not tried twice.
 * @throws OperationError when the function refuses.
 */
export async function callForAdministrator<Named extends Record<string, unknown>, Answer>(
  context: Context,
  { dryRun }: Pick<Change, "dryRun">,
  called: LedgerFunction<Named, Answer>,
  named: () => Named,
): Promise<Answer> {
  const rehearse = () =>
    repeating(context, called, () =>
      changeOnConnection(context, { dryRun }, (connection) => callOne(connection, called, named())),
    );
  try {
    return await (dryRun ? rehearse() : callLedger(context, called, named));
  } catch (error) {
    throw error instanceof WalletClosedError ? new OperationError(Refusal.WalletClosed) : error;
  }
}

/**
 * Calls one SQL function that a console user asks for, and writes the audit record of it in the same transaction.
 * @param recordOf the record of what was done; null: this call has done nothing new.
 * @throws as callLedger; OperationError NotAnAdministrator for a user whose role does not allow the action.
 */
export const callRecorded = <Named extends Record<string, unknown>, Answer>(
  context: Context,
  called: LedgerFunction<Named, Answer>,
  named: () => Named,
  recordOf: (answer: Answer) => Recorded | null,
): Promise<Answer> => {
  const refuses = { ...ledger.recordChange.refuses, ...called.refuses };
  return repeating(context, { refuses }, () =>
    changeOnConnection(context, {}, async (connection) => {
      const answer = await callOne(connection, called, named());
      const record = recordOf(answer);
      if (record) await recordOnConnection(connection, record);
      return answer;
    }),
  );
};
