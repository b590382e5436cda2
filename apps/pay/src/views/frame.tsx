import Head from "next/head";
import type { ReactNode } from "react";
import { texts } from "../texts";

export interface FrameProps {
  title: string;
  sandbox?: boolean;
  /** Loads the page's script; views that never change do without. */
  script?: boolean;
  /** What a browser without scripts, or on a waiting view every browser, loads next. */
  refresh?: { seconds: number; url: string | null; always?: boolean } | null;
  children: ReactNode;
}

/** What surrounds every view. The announcer stays while the script exchanges `main`, so that changes are read out. */
export function Frame({ title, sandbox, script, refresh, children }: FrameProps): ReactNode {
  const reload = refresh && (
    <meta
      httpEquiv="refresh"
      content={refresh.url === null ? `${refresh.seconds}` : `${refresh.seconds};url=${refresh.url}`}
    />
  );
  return (
    <>
      <Head>
        <title>{title}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        {refresh?.always ? reload : reload ? <noscript>{reload}</noscript> : null}
        {script ? <script src={`/assets/checkout.js?v=${process.env.ASSET_VERSION}`} defer /> : null}
      </Head>
      {sandbox ? (
        <header className="test-mode" data-testid="pay-test-mode">
          <strong>{texts.testMode.title}</strong> <span>{texts.testMode.explanation}</span>
        </header>
      ) : null}
      {children}
      <footer className="footer">{texts.footer}</footer>
      <p className="unseen" role="status" aria-live="polite" data-announcer="" />
    </>
  );
}
