import { Refusal, textOf } from "@tillgate/contract";
import type { OperationError } from "../operation-error.js";

/** The text of a refusal for administrators where its own text is for merchants: the code, and a sentence. */
const WORDS = new Map<Refusal, [told: Refusal, sentence: string]>([
  [Refusal.RequestNotFound, [Refusal.SubjectNotFound, Refusal.RequestNotFound.text]],
  [Refusal.WalletNotFound, [Refusal.SubjectNotFound, Refusal.WalletNotFound.text]],
  [Refusal.CurrencyNotFound, [Refusal.SubjectNotFound, Refusal.CurrencyNotFound.text]],
  [Refusal.PayoutNotFound, [Refusal.SubjectNotFound, "There is no such payout."]],
  [Refusal.RefundNotFound, [Refusal.SubjectNotFound, "There is no such refund."]],
  [Refusal.ReceiverNotFound, [Refusal.SubjectNotFound, "There is no such endpoint any more."]],
  [Refusal.DeliveryNotFound, [Refusal.SubjectNotFound, "There is no such delivery any more."]],
  [Refusal.RaiseWaiting, [Refusal.AlreadyExists, Refusal.RaiseWaiting.text]],
  [
    Refusal.ReceiverExists,
    [Refusal.AlreadyExists, "The merchant has an endpoint with this address already."],
  ],
  [
    Refusal.ReceiverRotationUnderWay,
    [Refusal.AlreadyExists, "A rotation of this secret is under way: the old one still signs."],
  ],
  [Refusal.AlreadyDecided, [Refusal.AlreadyDecided, "This is decided already."]],
  [Refusal.WalletClosed, [Refusal.WalletClosed, "The wallet is closed."]],
  [Refusal.InsufficientBalance, [Refusal.InsufficientBalance, "The wallet holds less than this amount."]],
  [
    Refusal.RecipientInactive,
    [Refusal.OnlyRejectionRemains, "The recipient was deactivated: it can only be rejected."],
  ],
  [
    Refusal.MerchantWalletNotFound,
    [Refusal.OnlyRejectionRemains, "Its sender currency was deactivated: it can only be rejected."],
  ],
  [
    Refusal.InvalidReceiverCurrency,
    [Refusal.OnlyRejectionRemains, "Its receiver currency was deactivated: it can only be rejected."],
  ],
  [
    Refusal.TooManyReceivers,
    [
      Refusal.InvalidValue,
      "The merchant has as many endpoints as it may have in this mode: remove one first.",
    ],
  ],
  [Refusal.ReceiverInactive, [Refusal.InvalidValue, "The endpoint is disabled or removed: enable it first."]],
]);

/** A refusal in the words for administrators. */
export function wordsFor({ refusal, details }: OperationError): {
  code: string;
  message: string;
  lines: readonly string[];
} {
  const { sentence, lines = [], fields } = details;
  if (fields)
    return {
      code: Refusal.InvalidValue.code,
      message: `${Object.values(fields).flat().join("; ")}.`,
      lines,
    };
  const [told, words] = WORDS.get(refusal) ?? [refusal, textOf(refusal, details)];
  return { code: told.code, message: sentence ?? words, lines };
}
