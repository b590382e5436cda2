import NextDocument, { type DocumentContext, Head, Html, Main, NextScript } from "next/document";
import type { JSX } from "react";
import { getPage } from "#server/page.ts";

type Props = { language: string };

export default class ConsoleDocument extends NextDocument<Props> {
  static override async getInitialProps(context: DocumentContext) {
    let language = "en";
    const render = context.renderPage;
    context.renderPage = () =>
      render({
        enhanceApp: (App) => (props) => {
          language = getPage(props.pageProps)?.language ?? language;
          return <App {...props} />;
        },
      });
    const page = await NextDocument.getInitialProps(context);
    return { ...page, language };
  }

  override render(): JSX.Element {
    return (
      <Html lang={this.props.language}>
        <Head>
          <meta name="robots" content="noindex" />
          <meta name="color-scheme" content="light dark" />
          <meta name="format-detection" content="telephone=no" />
          <link rel="icon" href="/assets/icon.svg" type="image/svg+xml" />
          <link rel="stylesheet" href={`/assets/page.css?v=${process.env.ASSET_VERSION}`} />
        </Head>
        <body>
          <Main />
          <NextScript />
        </body>
      </Html>
    );
  }
}
