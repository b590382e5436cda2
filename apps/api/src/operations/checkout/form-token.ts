import { Refusal } from "@tillgate/contract";
import type { Context } from "../../context.js";
import { OperationError } from "../../operation-error.js";
import { isPageToken, type PageTokenOwner, signPageToken } from "./page-token.js";

/** A page left open overnight still works. An older one is drawn again. */
export const FORM_LIFETIME = "24h";

/** What the forms of the wallet are about instead of an order. No order's id is like it. */
const THE_WALLET = "wallet";

/**
 * The owner of a form: the page's visitor and the wallet session, whichever token it has now.
 * @param orderId null: a form of the wallet.
 */
export type FormOwner = {
  orderId: string | null;
  visitor: string;
  /** As it was read: also one that is over, whose shopper is null. */
  session: { sessionId: string | null; shopper: object | null };
};

const ownerOf = ({ orderId, visitor }: FormOwner, sessionId: string | null): PageTokenOwner => ({
  orderId: orderId ?? THE_WALLET,
  bound: [visitor, sessionId ?? ""],
});

/**
 * Signs a token that makes a form of one order, or of the wallet, usable by one visitor and session only. A session that is over
 * is none: the page forgets its cookie with the same answer.
 */
export const signFormToken = (context: Pick<Context, "keyring">, owner: FormOwner): Promise<string> => {
  const { sessionId, shopper } = owner.session;
  return signPageToken(
    context,
    "form token",
    ownerOf(owner, shopper === null ? null : sessionId),
    FORM_LIFETIME,
  );
};

/** @throws OperationError FormRejected for a token that is forged, old, or somebody else's. */
export async function verifyFormToken(
  context: Pick<Context, "keyring">,
  token: string,
  owner: FormOwner,
): Promise<void> {
  const { sessionId, shopper } = owner.session;
  // A form that was drawn while the session lasted says by itself that it is over.
  const sessions = new Set(shopper === null ? [sessionId, null] : [sessionId]);
  for (const session of sessions)
    if (await isPageToken(context, "form token", token, ownerOf(owner, session))) return;
  throw new OperationError(Refusal.FormRejected);
}
