import Head from "next/head";
import type { ReactNode } from "react";
import { placePath } from "../place-path";
import { NoticeBox } from "./notice-box";
import { usePage } from "./use-page";

/** How often a browser without scripts looks for the payment, in seconds. */
const REFRESH_SECONDS = 3;

export type TillFrameProps = {
  name: string;
  /** Something is waited for: a browser without scripts loads the page again. */
  waits: boolean;
  children: ReactNode;
};

/** The till fills the screen: nothing leads away from it by accident. */
export function TillFrame({ name, waits, children }: TillFrameProps): ReactNode {
  const { page, t } = usePage();
  const { place } = page;
  if (place === null) return null;
  return (
    <>
      <Head>
        <title>{`${t(`mode.${place.mode}`).toUpperCase()} · ${name} · Tillgate`}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        {waits ? (
          <noscript>
            <meta httpEquiv="refresh" content={String(REFRESH_SECONDS)} />
          </noscript>
        ) : null}
        <script src={`/assets/till.js?v=${process.env.ASSET_VERSION}`} defer />
      </Head>
      <div className={`till-app ${place.mode}`}>
        <header className="till-head">
          <a href={placePath(place.merchantId, place.mode, "tills")}>← {t("nav.tills")}</a>
          <strong>{name}</strong>
          {place.mode === "sandbox" ? (
            <span className="till-mode" data-testid="test-mode">
              {t("mode.sandbox")}
            </span>
          ) : null}
        </header>
        <main id="main" data-till="" tabIndex={-1}>
          <NoticeBox />
          {children}
        </main>
        <p className="till-lost" data-testid="till-lost" data-lost="" hidden>
          {t("till.lost")}
        </p>
      </div>
      <p className="unseen" role="status" data-announcer="" />
    </>
  );
}
