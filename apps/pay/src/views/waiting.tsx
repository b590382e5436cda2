import type { ReactNode } from "react";
import { pageAddress } from "#http/addresses.ts";
import { CHECK_SECONDS } from "#limits.ts";
import { useLocalization } from "./localization";
import { OrderMain } from "./order-main";
import { Address, Code } from "./scan-panel";
import type { OrderScreen } from "./screen";
import { Summary } from "./summary";

/** Renders the view with only the QR code. The view has no fields, so it can refresh itself without scripts. */
export function CodeOnly({ token, view }: OrderScreen): ReactNode {
  const { texts } = useLocalization();
  return (
    <OrderMain token={token} view={view} className="narrow">
      <Summary view={view} />
      <section className="card scan-only" aria-labelledby="scan-title">
        <h2 id="scan-title">{texts.scan.watchTitle}</h2>
        <Code view={view} />
        <p>{texts.scan.watching}</p>
        <Address view={view} />
        <a className="button plain" href={pageAddress(token)} data-testid="pay-here">
          {texts.scan.back}
        </a>
      </section>
    </OrderMain>
  );
}

/** Returns the URL of the next check for an unknown outcome. After the last check, the page offers to pay again. */
export const nextCheckAddress = (token: string, check: number): string =>
  pageAddress(token, { check: check + 1 });

/** Renders the page shown after a step's response was lost. The page checks the outcome before it offers the step again. */
export function Checking({ token, view, check }: OrderScreen & { check: number }): ReactNode {
  const { texts } = useLocalization();
  const next = { address: nextCheckAddress(token, check), seconds: CHECK_SECONDS };
  return (
    <OrderMain token={token} view={view} className="narrow" next={next}>
      <Summary view={view} checking />
      <section className="card checking" aria-labelledby="check-title" data-testid="pay-checking">
        <span className="spinner" aria-hidden="true" />
        {/* biome-ignore lint/a11y/noAutofocus: the result of the last step is what the reader needs first. */}
        <h2 id="check-title" tabIndex={-1} autoFocus>
          {texts.check.title}
        </h2>
        <p>{texts.check.explanation}</p>
        <a className="button plain" href={pageAddress(token)} data-testid="pay-back">
          {texts.check.back}
        </a>
      </section>
    </OrderMain>
  );
}
