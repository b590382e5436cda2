import type { CheckoutLanding } from "@tillgate/contract";
import type { ReactNode } from "react";
import { useWords } from "./use-words";

/** What the shop was told of a sandbox order and what its order became, for a developer who tries it out. The script draws it again while something is under way. */
export function Landings({ landings }: { landings: readonly CheckoutLanding[] }): ReactNode {
  const { texts, fill } = useWords();
  const textOf = ({ state, http_status }: CheckoutLanding) =>
    state === "waiting" && http_status !== null ? texts.landing.refused : texts.landing[state];
  const names = new Map(Object.entries(texts.landing.orderIs));
  const nameOf = (status: string) => names.get(status) ?? status;
  const isWaiting = landings.some(({ state }) => state === "waiting");
  return (
    <section
      className="landings no-print"
      aria-label={texts.landing.title}
      data-testid="pay-landings"
      data-landing={isWaiting ? "waiting" : "over"}
    >
      {landings.length === 0 ? <p>{texts.landing.none}</p> : null}
      {landings.map((landing) => (
        <p key={landing.id} data-state={landing.state}>
          {fill(textOf(landing), { host: landing.host, status: landing.http_status ?? "–" })}
          {landing.order_status === null ? null : (
            <>
              {" "}
              <strong data-testid="pay-shop-order" data-order={landing.order_status}>
                {fill(texts.landing.order, { status: nameOf(landing.order_status) })}
              </strong>
            </>
          )}
        </p>
      ))}
    </section>
  );
}
