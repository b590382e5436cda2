import type { WalletActivity } from "@tillgate/contract";
import type { ReactNode } from "react";
import { WALLET_ACTIVITY } from "../../http/wallet-address";
import type { Words } from "../../texts/words";
import { Moment } from "../moment";
import { useWords } from "../use-words";
import { WholeSums } from "../whole-sums";

/** What a movement was, in a few words. */
export const titleOf = ({ texts, fill }: Words, { kind, merchant_name }: WalletActivity): string =>
  fill(texts.account.kind[kind], { merchant: merchant_name ?? "" });

/** Movements, newest first; each leads to its receipt. */
export function ActivityList({ activity }: { activity: readonly WalletActivity[] }): ReactNode {
  const words = useWords();
  if (activity.length === 0)
    return <p data-testid="wallet-no-activity">{words.texts.account.activity.none}</p>;
  return (
    <ul className="activity" data-testid="wallet-activity">
      {activity.map((one) => (
        <li key={one.id}>
          <a href={`${WALLET_ACTIVITY}/${one.id}`} data-kind={one.kind}>
            <span className="what">
              <bdi>{titleOf(words, one)}</bdi>
              {one.counter_amount === null ? null : (
                <small>
                  <WholeSums>
                    {words.signed(one.counter_amount, one.direction === "in" ? "out" : "in")}
                  </WholeSums>
                </small>
              )}
              {one.merchant_amount === null ? null : (
                <small>
                  <WholeSums>{words.sum(one.merchant_amount)}</WholeSums>
                </small>
              )}
              {one.description === null ? null : (
                <small>
                  <bdi>{one.description}</bdi>
                </small>
              )}
              <small>
                <Moment time={one.created_at} />
              </small>
            </span>{" "}
            <strong className={one.direction} data-amount={one.amount} data-direction={one.direction}>
              <WholeSums>{words.signed(one.amount, one.direction)}</WholeSums>
            </strong>
          </a>
        </li>
      ))}
    </ul>
  );
}
