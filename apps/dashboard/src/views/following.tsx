import Head from "next/head";
import type { ReactNode } from "react";
import { usePage } from "./use-page";

/** Refresh interval without scripts, in seconds. */
const REFRESH_SECONDS = 4;

type FollowingProps = {
  children: ReactNode;
  /** Whether the page reloads without scripts. False for a page with input fields, because a reload would lose their input. */
  reloads?: boolean;
};

/** Renders work in progress, which the script refreshes. Without scripts, the page reloads unless `reloads` is false. */
export function Following({ children, reloads = true }: FollowingProps): ReactNode {
  const { page, t } = usePage();
  return (
    <div className="following" data-following="">
      {reloads ? (
        <Head>
          <noscript>
            <meta httpEquiv="refresh" content={String(REFRESH_SECONDS)} />
          </noscript>
        </Head>
      ) : null}
      {children}
      <p className="without-script">
        <a href={page.path}>{t("batch.refresh")}</a>
      </p>
    </div>
  );
}

/** Renders a link that refreshes a list once, and a button that turns automatic refreshing on and off. */
export function LiveTools(): ReactNode {
  const { page, t } = usePage();
  return (
    <>
      <a className="button quiet" href={page.path}>
        {t("live.refresh")}
      </a>
      <button type="button" className="button quiet with-script" aria-pressed="false" data-follow="">
        {t("live.follow")}
      </button>
    </>
  );
}
