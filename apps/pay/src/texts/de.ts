import type { Texts } from "./en";

export const de: Texts = {
  footer: "Sichere Zahlung mit Tillgate. Der Shop sieht weder Ihre PIN noch Ihr Guthaben.",
  legal: { terms: "Nutzungsbedingungen", privacy: "Datenschutzerklärung" },
  testMode: {
    title: "TESTMODUS",
    explanation: "Es fließt kein echtes Geld.",
    pageTitle: "TEST: {title}",
    receipt: "TESTMODUS: Es ist kein echtes Geld geflossen.",
  },

  title: {
    PENDING: "{amount} an {merchant} zahlen",
    PAID: "Bezahlt: {amount} an {merchant}",
    CANCELLED: "Zahlung abgebrochen: {merchant}",
    EXPIRED: "Zahlung abgelaufen: {merchant}",
    REFUND_PENDING: "Erstattung läuft: {merchant}",
    REFUNDED: "Erstattet: {amount} von {merchant}",
  },
  heading: {
    PENDING: "Zahlung an {merchant}",
    PAID: "{amount} bezahlt",
    CANCELLED: "Zahlung abgebrochen",
    EXPIRED: "Zahlung abgelaufen",
    REFUND_PENDING: "Erstattung läuft",
    REFUNDED: "{amount} erstattet",
  },

  order: {
    waiting: "Warten auf Ihre Zahlung",
    reference: "Referenz {reference}",
    orderId: "Bestellung",
    timeLeft: "Noch {time} zum Bezahlen",
    lastMinute: "Ihnen bleibt weniger als eine Minute zum Bezahlen.",
    lastSeconds: "Noch 15 Sekunden zum Bezahlen.",
    payBefore: "Zahlbar bis {time}.",
    checkAgain: "Auf einem anderen Gerät bezahlt? Status prüfen",
  },
  connection: {
    offline: "Sie sind offline. Diese Seite wird aktualisiert, sobald Sie wieder online sind.",
    lost: "Verbindung unterbrochen. Wir versuchen, sie wiederherzustellen…",
    unavailable: "Der Zahlungsdienst ist nicht erreichbar. Wir versuchen es weiter…",
    clock: "Bis dahin wird die verbleibende Zeit nicht aktualisiert.",
  },

  check: {
    status: "Prüfung läuft",
    title: "Ihre Zahlung wird geprüft",
    explanation:
      "Wir haben nicht rechtzeitig eine Antwort erhalten und prüfen, ob Ihre Zahlung erfolgt ist. Bitte lassen Sie diese Seite geöffnet. Für dieselbe Bestellung wird nie doppelt abgebucht.",
    back: "Zurück zur Zahlung",
  },

  signIn: {
    title: "Mit Ihrer Tillgate-Wallet bezahlen",
    identifier: "Telefonnummer oder E-Mail-Adresse",
    pin: "PIN der Tillgate-Wallet",
    pinHint: "6 Ziffern",
    submit: "Weiter",
    stay: "Auf diesem Gerät angemeldet bleiben",
    stayHint:
      "Nur auf Ihrem eigenen Gerät. Zum Bezahlen benötigen Sie weiterhin Ihre PIN oder Ihren Passkey.",
    busy: "Anmeldung läuft…",
    next: "Als Nächstes sehen Sie Ihre Wallet. Ohne Ihre Bestätigung wird nichts abgebucht.",
  },
  wallet: {
    signedIn: "Angemeldet als {name}",
    signOut: "Nicht Sie? Abmelden",
    signOutBusy: "Abmeldung läuft…",
    wrongPinsElsewhere: "Jemand hat für Ihr Konto falsche PINs eingegeben.",
    wrongPinsElsewhereAdvice:
      "Die Versuche erfolgten nicht auf diesem Gerät. Niemand hat Zugriff erhalten, und Sie können hier weiterhin bezahlen. Geben Sie Ihre PIN niemals weiter.",
    choose: "Bezahlen mit",
    name: "{currency}-Wallet",
    chosen: "ausgewählt",
    about: "ca. {price}",
    noRate: "keine Zahlung in {currency} möglich",
    missing: "{missing} fehlen",
    pay: "{amount} zahlen",
    busy: "Zahlung läuft…",
    pin: "PIN zur Bestätigung",
    next: "Der Betrag wird einmal abgebucht, und Sie erhalten sofort Ihren Beleg.",
    notEnough: "Das Guthaben Ihrer {currency}-Wallet reicht nicht aus",
    notEnoughHidden: "Für diese Zahlung werden {price} benötigt.",
    notEnoughAdvice:
      "Für diese Zahlung werden {price} benötigt, Ihr Guthaben beträgt {balance}. Es fehlen {missing}.",
    notEnoughTestAdvice:
      "Laden Sie die Wallet hier auf und kehren Sie direkt zu dieser Zahlung zurück, oder bezahlen Sie mit einer anderen Wallet.",
    notEnoughLiveAdvice:
      "Zum Aufladen wenden Sie sich bitte an den Betreiber dieses Zahlungsdienstes. Sie können auch mit einer anderen Wallet bezahlen.",
    none: "Sie haben keine Wallet, mit der Sie diese Zahlung ausführen können",
    noneTestAdvice:
      "Laden Sie Guthaben auf, um eine {currency}-Wallet zu eröffnen. Danach kehren Sie zum Bezahlen hierher zurück.",
    noneAdvice: "Haben Sie ein anderes Konto? Melden Sie sich ab, um es zu verwenden.",
    chooseAdvice:
      "Diese Zahlung erfolgt in {currency}. Wählen Sie eine Wallet, um den genauen Betrag zu sehen.",
    sandboxAdvice: "Im Testmodus können Sie auch die Test-Buttons weiter unten nutzen.",
  },
  passkey: {
    recognised: "Willkommen zurück, {name}",
    pay: "{amount} mit Passkey zahlen",
    usePin: "Stattdessen PIN verwenden",
    notUsed:
      "Es wurde kein Passkey verwendet und nichts abgebucht. Versuchen Sie es noch einmal oder verwenden Sie Ihre PIN.",
    noSupport: "Dieser Browser unterstützt keine Passkeys. Verwenden Sie Ihre PIN.",
    offer: "Nächstes Mal ohne PIN bezahlen?",
    offerText:
      "Mit einem Passkey bestätigen Sie Zahlungen auf diesem Gerät per Fingerabdruck, Gesichtserkennung oder Displaysperre. Ihre PIN bleibt gültig.",
    add: "Passkey hinzufügen",
    addBusy: "Passkey wird hinzugefügt…",
    notAdded: "Es wurde kein Passkey hinzugefügt. Sie können es noch einmal versuchen.",
    known: "Auf diesem Gerät ist bereits einer Ihrer Passkeys gespeichert.",
    cannotAdd: "Dieser Browser unterstützt keine Passkeys.",
    title: "Passkeys",
    none: "Noch keine Passkeys. Nach einer Zahlung mit PIN können Sie auf der Belegseite einen hinzufügen.",
    addedAt: "Hinzugefügt am {time}",
    usedAt: "Zuletzt verwendet am {time}",
    remove: "Entfernen",
  },
  quote: {
    pays: "Sie zahlen",
    receives: "{merchant} erhält",
    rate: "Kurs",
    rateWithMargin: "Kurs, inkl. {margin} Marge",
    rateMarginIncluded: "Kurs, inkl. Marge",
    rateValue: "{one} = {rate}",
    heldFor: "Kurs garantiert für",
    heldUntil: "Kurs garantiert bis",
    over: "Dieser Kurs ist abgelaufen",
    overAdvice:
      "Wechselkurse ändern sich. Rufen Sie den aktuellen Kurs ab, um vor dem Bezahlen den genauen Betrag zu sehen.",
    renew: "Aktuellen Kurs abrufen",
    renewBusy: "Kurs wird abgerufen…",
  },
  sandbox: {
    title: "Test-Buttons",
    explanation:
      "Mit „Genehmigen“ bezahlen Sie als Testkunde. „Ablehnen“ simuliert eine abgelehnte Zahlung; die Bestellung bleibt offen.",
    approve: "Genehmigen",
    approveBusy: "Wird genehmigt…",
    decline: "Ablehnen",
    declineBusy: "Wird abgelehnt…",
    signIn: "Als {name} anmelden",
    signInHint: "Im Testmodus ist keine PIN nötig.",
  },
  scan: {
    title: "Mit dem Smartphone bezahlen",
    explanation: "Scannen Sie den Code mit der Kamera Ihres Smartphones.",
    linkOnly: "Öffnen Sie diese Adresse auf Ihrem Smartphone.",
    live: "Diese Seite wird aktualisiert, sobald Sie bezahlt haben.",
    open: "Mit einem anderen Gerät bezahlen",
    watch: "Nur den Code anzeigen und auf die Zahlung warten",
    watchTitle: "Zum Bezahlen scannen",
    watching: "Diese Seite prüft alle paar Sekunden, ob Sie bezahlt haben.",
    back: "Doch auf diesem Gerät bezahlen",
    picture: "QR-Code zur Zahlung von {amount} an {merchant}",
    address: "Adresse der Zahlungsseite",
    copy: "Kopieren",
    copied: "Kopiert",
    copyFailed: "Kopieren nicht möglich. Der Text ist markiert.",
  },
  cancel: {
    open: "Zahlung abbrechen",
    question: "Diese Zahlung abbrechen? Wenn Sie später bezahlen möchten, müssen Sie im Shop neu beginnen.",
    confirm: "Ja, abbrechen",
    busy: "Wird abgebrochen…",
  },

  receipt: {
    transaction: "Transaktion",
    time: "Datum",
    refunded: "Erstattet",
    receivedBack: "Ihrer Wallet gutgeschrieben",
    paidFrom: "Von Ihrer Wallet abgebucht",
    rate: "Kurs",
    next: "{merchant} hat Ihre Zahlung erhalten.",
    refundedInPart: "{refunded} von {amount} wurden der Wallet gutgeschrieben, mit der Sie bezahlt haben.",
    print: "Drucken",
    copy: "Beleg kopieren",
    copied: "Kopiert",
    copyFailed: "Kopieren nicht möglich. Der Text ist markiert.",
  },
  leaveScreen: {
    signedIn: "Sie sind noch als {name} angemeldet",
    advice: "Gemeinsam genutztes Gerät? Melden Sie sich ab, bevor Sie gehen.",
    signOut: "Auf diesem Gerät abmelden",
  },
  ended: {
    CANCELLED:
      "Es wurde nichts abgebucht. Wenn Sie weiterhin bezahlen möchten, starten Sie bei {merchant} eine neue Zahlung.",
    EXPIRED:
      "Die Zeit zum Bezahlen ist abgelaufen, es wurde nichts abgebucht. Starten Sie bei {merchant} eine neue Zahlung, um es noch einmal zu versuchen.",
    REFUND_PENDING:
      "{merchant} hat eine Erstattung über {refund} veranlasst. Sobald sie abgeschlossen ist, finden Sie das Geld in der Wallet, mit der Sie bezahlt haben.",
    REFUNDED: "{merchant} hat den vollen Betrag auf die Wallet erstattet, mit der Sie bezahlt haben.",
  },
  returnToShop: {
    link: "Zurück zu {merchant}",
    counting: "In {seconds} s zurück zu {merchant}.",
    stop: "Hier bleiben",
  },

  deliveries: {
    title: "Webhook-Zustellungen",
    delivered: "Webhook an {host}: zugestellt, Antwort {status}.",
    waiting: "Webhook an {host}: noch nicht zugestellt.",
    rejected: "Webhook an {host}: fehlgeschlagen, Antwort {status}. Die Zustellung wird wiederholt.",
    failed: "Webhook an {host}: endgültig fehlgeschlagen.",
    none: "Es wurde kein Webhook gesendet. Geben Sie bei der Bestellung eine callback_url an oder legen Sie einen Webhook-Endpunkt an.",
    order: "Status der Bestellung im Shop: {status}.",
    orderIs: {
      pending: "Zahlung ausstehend",
      "on-hold": "In Wartestellung",
      processing: "In Bearbeitung",
      completed: "Fertiggestellt",
      cancelled: "Storniert",
      refunded: "Rückerstattet",
      failed: "Fehlgeschlagen",
    },
  },
  amounts: {
    ambiguous:
      "„{typed}“ kann {small} oder {large} bedeuten. Geben Sie {smallSpelling} oder {largeSpelling} ein.",
    ambiguousLarge:
      "„{typed}“ kann {small} oder {large} bedeuten. Geben Sie für {large} {largeSpelling} ein.",
  },
  link: {
    resume: "Zahlung fortsetzen",
    go: "Weiter zur Zahlung",
    next: "Als Nächstes prüfen Sie den Betrag und bezahlen mit Ihrer Wallet. Ohne Ihre Bestätigung wird nichts abgebucht.",
    amount: "Betrag in {currency}",
    between: "{min} bis {max}.",
    atLeast: "Mindestens {min}.",
    atMost: "Höchstens {max}.",
    wrongAmount: "Dieser Betrag kann hier nicht bezahlt werden. Bitte geben Sie einen anderen Betrag ein.",
    rate_limited:
      "Bitte warten Sie eine Minute und öffnen Sie den Link dann noch einmal. Es wurde nichts abgebucht.",
    away: "Durch das Öffnen dieses Links wird nichts abgebucht. Bitte versuchen Sie es gleich noch einmal.",
    used: {
      title: "Dieser Link wurde bereits verwendet",
      explanation:
        "Dieser Link von {merchant} galt für eine begrenzte Anzahl von Zahlungen, die alle erfolgt sind. Weitere Zahlungen sind darüber nicht möglich.",
    },
    expired: {
      title: "Dieser Link ist abgelaufen",
      explanation:
        "{merchant} nimmt über diesen Link keine neuen Zahlungen mehr an. Bitten Sie um einen neuen Link.",
    },
    closed: {
      title: "Dieser Link ist deaktiviert",
      explanation: "{merchant} nimmt über diesen Link zurzeit keine neuen Zahlungen an.",
    },
  },
  embed: {
    payHere: "Mit Tillgate bezahlen",
    next: "Tillgate wird in einem neuen Tab geöffnet. Geben Sie Ihre PIN nur dort ein, nie auf der Seite des Shops.",
    scan: "Oder scannen Sie den Code mit der Kamera Ihres Smartphones.",
    receipt: "Beleg anzeigen",
  },
  till: {
    waiting: "Warten auf die Eingabe des Betrags im Shop. Die Zahlung wird hier automatisch geöffnet.",
  },
  root: {
    explanation:
      "Zahlungen beginnen im Shop: Gehen Sie dort zur Kasse oder scannen Sie den Code des Shops. Hier bezahlen Sie dann mit Ihrer Tillgate-Wallet.",
  },
  notFound: {
    title: "Zahlung nicht gefunden",
    explanation:
      "Die Adresse ist möglicherweise unvollständig. Öffnen Sie die Zahlung noch einmal im Shop oder scannen Sie den Code erneut.",
  },
  unavailable: {
    title: "Der Zahlungsdienst ist nicht erreichbar",
    explanation:
      "Wenn Sie gerade bezahlt haben, bezahlen Sie bitte kein zweites Mal. Das Ergebnis erscheint hier, sobald der Dienst wieder erreichbar ist.",
    scriptAdvice: "Diese Seite versucht es alle paar Sekunden erneut.",
    retry: "Noch einmal versuchen",
  },
  failed: {
    title: "Etwas ist schiefgegangen",
    explanation:
      "Die Seite konnte nicht angezeigt werden. Bitte versuchen Sie es noch einmal. Bereits erfolgte Zahlungen sind davon nicht betroffen.",
  },
  rejected: {
    title: "Dieser Schritt konnte nicht ausgeführt werden",
    origin: "Die Anfrage kam nicht von der Zahlungsseite. Es wurde nichts geändert.",
    method: "Diese Adresse akzeptiert nur Formulare der Zahlungsseite. Es wurde nichts geändert.",
    size: "Das Formular war zu groß. Es wurde nichts geändert.",
    form: "Das Formular war ungültig. Es wurde nichts geändert.",
    back: "Zur Zahlung",
  },

  notice: {
    form_rejected: "Diese Seite war veraltet, es wurde nichts geändert. Bitte versuchen Sie es noch einmal.",
    wrong_sign_in: "Telefonnummer, E-Mail-Adresse oder PIN ist falsch. Bitte versuchen Sie es noch einmal.",
    phone_without_country:
      "Geben Sie die Telefonnummer mit Ländervorwahl (zum Beispiel +49 171 2345678) oder Ihre E-Mail-Adresse ein. Dieser Versuch zählt nicht als falsche PIN-Eingabe.",
    wrong_pin: "Falsche PIN. Es wurde nichts abgebucht. Bitte versuchen Sie es noch einmal.",
    pin_needed: "Bitte bestätigen Sie diese Zahlung mit Ihrer PIN. Es wurde noch nichts abgebucht.",
    passkey_refused:
      "Ihr Passkey konnte nicht geprüft werden, und es wurde nichts abgebucht. Versuchen Sie es noch einmal oder verwenden Sie Ihre PIN.",
    too_many_passkeys:
      "Sie haben die Höchstzahl von 10 Passkeys erreicht. Entfernen Sie in Ihrer Wallet einen, um einen neuen hinzuzufügen.",
    passkey_added: "Passkey hinzugefügt. Sie können ihn bei Ihrer nächsten Zahlung verwenden.",
    passkey_not_added:
      "Es wurde kein Passkey hinzugefügt. Nach Ihrer nächsten Zahlung mit PIN können Sie einen hinzufügen.",
    invalid_pin: "Geben Sie Ihre 6-stellige PIN ein. Es wurde noch nichts abgebucht.",
    locked:
      "Nach zu vielen falschen PINs ist die Anmeldung mit dieser Telefonnummer oder E-Mail-Adresse auf neuen Geräten vorübergehend gesperrt. Es wurde nichts abgebucht, und auf Ihren bisherigen Geräten können Sie sich weiterhin anmelden.",
    device_locked:
      "Auf diesem Gerät wurden zu viele falsche PINs eingegeben. Zu Ihrer Sicherheit ist es vorübergehend gesperrt. Es wurde nichts abgebucht.",
    wrong_pins_before:
      "Vor Ihrer Anmeldung wurden zu viele falsche PINs für Ihre Telefonnummer oder E-Mail-Adresse eingegeben. Niemand hat Zugriff erhalten, und es wurde nichts abgebucht.",
    too_many_attempts: "Zu viele Versuche.",
    not_signed_in: "Sie wurden abgemeldet, es wurde nichts abgebucht. Bitte melden Sie sich wieder an.",
    no_wallet:
      "Sie haben keine Wallet, mit der Sie diese Zahlung ausführen können. Es wurde nichts abgebucht.",
    wallet_closed:
      "Ihre Wallet oder die des Shops ist geschlossen. Es wurde nichts abgebucht. Bitte verwenden Sie eine andere Wallet oder wenden Sie sich an den Shop.",
    insufficient_balance: "Das Guthaben Ihrer Wallet reicht nicht aus. Es wurde nichts abgebucht.",
    no_rate:
      "Für diese Wallet ist zurzeit kein Wechselkurs verfügbar. Es wurde nichts abgebucht. Bitte verwenden Sie eine andere Wallet.",
    quote_expired:
      "Der Wechselkurs ist abgelaufen, es wurde nichts abgebucht. Prüfen Sie den neuen Betrag und bestätigen Sie noch einmal.",
    expired: "Diese Zahlung ist vor Ihrer Bestätigung abgelaufen. Es wurde nichts abgebucht.",
    cancelled: "Diese Zahlung wurde vor Ihrer Bestätigung abgebrochen. Es wurde nichts abgebucht.",
    already_paid: "Diese Bestellung wurde bereits bezahlt. Für diesen Versuch wurde nichts abgebucht.",
    link_used:
      "Die Höchstzahl an Zahlungen über diesen Link ist erreicht. Für diese Zahlung wurde nichts abgebucht.",
    not_payable_now:
      "Diese Zahlung ist zurzeit nicht möglich. Es wurde nichts abgebucht. Bitte wenden Sie sich an den Shop.",
    sandbox_only: "Test-Buttons funktionieren nur im Testmodus.",
    not_found: "Zahlung nicht gefunden.",
    invalid_field: "Geben Sie Ihre Telefonnummer oder E-Mail-Adresse und Ihre 6-stellige PIN ein.",
    declined: "Zahlung abgelehnt. Das war eine simulierte Ablehnung; Sie können es noch einmal versuchen.",
    unavailable:
      "Der Zahlungsdienst hat nicht geantwortet. Der Status unten ist aktuell. Prüfen Sie ihn, bevor Sie es noch einmal versuchen.",
    unconfirmed:
      "Der Zahlungsdienst hat zu spät geantwortet. Es wurde nichts abgebucht. Versuchen Sie es noch einmal.",
    pins_differ: "Die PINs stimmen nicht überein. Geben Sie die neue PIN zweimal ein.",
    trivial_pin: "Diese PIN ist zu leicht zu erraten. Bitte wählen Sie eine andere.",
    same_pin: "Das ist bereits Ihre PIN. Bitte wählen Sie eine andere.",
    identifier_taken:
      "Zu dieser Telefonnummer oder E-Mail-Adresse gibt es bereits eine Wallet. Bitte melden Sie sich an.",
    unknown_shopper: "Zu dieser Telefonnummer oder E-Mail-Adresse gibt es keine Test-Wallet.",
    conversion_expired:
      "Der Wechselkurs ist abgelaufen, es wurde nichts umgetauscht. Prüfen Sie den neuen Kurs.",
    cookies_needed:
      "Ihr Browser blockiert Cookies für diese Seite. Erlauben Sie sie und versuchen Sie es noch einmal.",
  },
  lostResponse: {
    offline:
      "Sie sind offline. Es wurde nichts gesendet und nichts abgebucht. Wir prüfen erneut, sobald Sie wieder online sind.",
    unknown:
      "Die Verbindung wurde unterbrochen, bevor wir eine Antwort erhalten haben. Wir prüfen, ob Ihre Zahlung erfolgt ist. Für dieselbe Bestellung wird nie doppelt abgebucht.",
    unpaid: "Es wurde nichts abgebucht. Versuchen Sie es noch einmal.",
    step: "Die Verbindung wurde unterbrochen, dieser Schritt wurde möglicherweise nicht ausgeführt. Versuchen Sie es noch einmal.",
    again: "Noch einmal versuchen",
  },
  missing: "Es fehlen {missing}.",
  wait: {
    seconds: "Bitte versuchen Sie es in {count, plural, one {# Sekunde} other {# Sekunden}} noch einmal.",
    minutes: "Bitte versuchen Sie es in {count, plural, one {# Minute} other {# Minuten}} noch einmal.",
    hours: "Bitte versuchen Sie es in {count, plural, one {# Stunde} other {# Stunden}} noch einmal.",
    clock: "In {time} können Sie es noch einmal versuchen.",
    over: "Sie können es jetzt noch einmal versuchen.",
  },
  account: {
    title: "Ihre Tillgate-Wallet",
    nav: { label: "Wallet", home: "Übersicht", activity: "Umsätze", security: "Sicherheit" },
    signOut: "Abmelden",
    back: "Zur Wallet",
    away: "Ihr Geld ist sicher. Bitte versuchen Sie es gleich noch einmal.",
    notFound: {
      title: "Seite nicht gefunden",
      explanation:
        "Die Adresse ist möglicherweise unvollständig, oder die Seite gehört zu einer anderen Wallet.",
    },
    signIn: {
      title: "Bei Ihrer Wallet anmelden",
      next: "Danach sehen Sie Ihre Guthaben und Zahlungen. Es wird nichts abgebucht.",
      live: "Stattdessen bei einer echten Wallet anmelden",
      sandbox: "Stattdessen bei einer Test-Wallet anmelden",
    },
    balances: { title: "Guthaben", none: "Sie haben noch keine Wallet." },
    latest: "Letzte Umsätze",
    all: "Alle Umsätze",
    activity: {
      title: "Umsätze",
      none: "Noch keine Umsätze.",
      filter: "Wallet",
      every: "Alle Wallets",
      pages: "Seiten",
      newer: "Neuere",
      older: "Ältere",
    },
    kind: {
      payment: "Zahlung an {merchant}",
      refund: "Erstattung von {merchant}",
      payout: "Gutschrift von {merchant}",
      deposit: "Aufladung",
      withdrawal: "Auszahlung",
      top_up: "Aufladung für eine Testzahlung",
      conversion: "Umtausch",
    },
    receipt: {
      back: "Zurück zu allen Umsätzen",
      reference: "Referenz",
      refund: "Erstattung",
      payout: "Gutschrift",
      page: "Beleg des Shops",
      payment: "Zahlung ansehen",
      refundedBy: "Von {merchant} erstattet",
      refunds: "Erstattungen",
      completed: "{amount} am {time} erstattet.",
      pending: "Erstattung über {amount} läuft seit dem {time}.",
    },
    pin: {
      title: "PIN ändern",
      hint: "Sie werden auf allen anderen Geräten abgemeldet.",
      old: "Aktuelle PIN",
      new: "Neue PIN",
      repeat: "Neue PIN bestätigen",
      submit: "PIN ändern",
    },
    hidden:
      "Ihre PIN wurde nur mit Telefonnummer oder E-Mail-Adresse zurückgesetzt. Name, Kontaktdaten, Guthaben und frühere Umsätze sind deshalb ausgeblendet. Bezahlen können Sie weiterhin.",
    security: {
      sessions: "Aktive Anmeldungen",
      signedInAt: "Angemeldet am {time}",
      current: "dieser Browser",
      unknown: "Unbekannter Browser",
      everywhere: "Überall abmelden",
      everywhereHint:
        "Beendet alle oben aufgeführten Anmeldungen, auch diese, und entfernt alle anderen vertrauenswürdigen Geräte.",
      devices: "Vertrauenswürdige Geräte",
      devicesHint:
        "Auf diesen Geräten haben Sie sich schon einmal angemeldet. Das ist weiterhin möglich, auch wenn anderswo zu viele falsche PINs eingegeben wurden. Entfernen Sie Geräte, die Sie nicht mehr haben.",
      usedAt: "Letzte Anmeldung am {time}",
      forget: "Entfernen",
    },
    money: {
      currency: "Währung",
      amount: "Betrag",
    },
    topUp: {
      title: "Aufladen",
      hint: "Testgeld wird sofort gutgeschrieben. Es hat keinen realen Wert.",
      submit: "Aufladen",
    },
    convert: {
      title: "Umtauschen",
      from: "Von",
      to: "In",
      gives: "Sie tauschen um",
      gets: "Sie erhalten",
      quote: "Aktuellen Kurs abrufen",
      submit: "Umtauschen",
      again: "Betrag ändern",
    },
    create: {
      title: "Wallet erstellen",
      none: "Noch keine Wallet?",
      hint: "Dies ist eine Test-Wallet: Sie können einen beliebigen Namen angeben, und es fließt kein echtes Geld.",
      forOrder:
        "Erstellen Sie eine Test-Wallet und kehren Sie dann zurück, um {amount} an {merchant} zu zahlen.",
      live: "Wallets werden vom Betreiber dieses Zahlungsdienstes eröffnet. Wenden Sie sich an ihn oder wählen Sie im Shop eine andere Zahlungsart.",
      name: "Ihr Name",
      email: "E-Mail-Adresse",
      eitherHint: "oder eine Telefonnummer",
      phone: "Telefonnummer",
      phoneHint: "mit Ländervorwahl",
      pin: "PIN wählen",
      repeat: "PIN bestätigen",
      amount: "Startguthaben (Testgeld)",
      submit: "Wallet erstellen",
      signIn: "Sie haben schon eine? Anmelden",
    },
    forgot: {
      title: "PIN vergessen?",
      hint: "Im Testmodus können Sie hier eine neue PIN festlegen. Sie werden überall abgemeldet, und Name, Kontaktdaten, Guthaben und frühere Umsätze der Wallet werden ausgeblendet.",
      live: "Ihr Geld ist sicher. Wenden Sie sich an den Betreiber dieses Zahlungsdienstes, um Ihre PIN zurücksetzen zu lassen.",
      submit: "Neue PIN festlegen",
    },
    done: {
      pin_set: "Ihre neue PIN ist gespeichert.",
      made: "Ihre Wallet ist bereit.",
      topped_up: "Das Geld wurde Ihrer Wallet gutgeschrieben.",
      converted: "Umtausch abgeschlossen.",
      signed_out: "Sie sind abgemeldet.",
      signed_out_everywhere: "Sie sind überall abgemeldet.",
      session_ended: "Der Browser wurde abgemeldet.",
      device_forgotten: "Gerät entfernt und abgemeldet.",
      passkey_removed:
        "Passkey entfernt. Damit lassen sich keine Zahlungen mehr bestätigen; Sie können ihn auch auf Ihrem Gerät löschen.",
      pin_changed: "PIN geändert. Auf allen anderen Geräten wurden Sie abgemeldet.",
    },
    fieldErrors: {
      name: "Geben Sie einen Namen ein.",
      email: "Geben Sie eine E-Mail-Adresse wie name@example.com oder unten eine Telefonnummer ein.",
      phone:
        "Geben Sie eine Telefonnummer mit Ländervorwahl (zum Beispiel +49 171 2345678) oder oben eine E-Mail-Adresse ein.",
      identifier: "Geben Sie die Telefonnummer oder E-Mail-Adresse der Wallet ein.",
      currency: "Wählen Sie eine Währung aus der Liste.",
      amount: "Geben Sie einen Betrag größer als 0 ein, zum Beispiel 12,50.",
      pin: "Geben Sie 6 Ziffern ein.",
      repeated_pin: "Die PINs stimmen nicht überein.",
    },
    notice: {
      wrong_pin: "Falsche PIN. Es wurde nichts geändert. Bitte versuchen Sie es noch einmal.",
      invalid_field: "Angaben fehlen oder sind falsch. Bitte prüfen Sie alle Felder.",
      invalid_pin: "Jede PIN muss 6 Ziffern haben. Bitte füllen Sie alle Felder aus.",
      device_locked:
        "Auf diesem Gerät wurden zu viele falsche PINs eingegeben. Zu Ihrer Sicherheit ist es vorübergehend gesperrt.",
      not_signed_in: "Sie wurden abgemeldet, es wurde nichts geändert. Bitte melden Sie sich wieder an.",
      insufficient_balance: "Das Guthaben dieser Wallet reicht nicht aus. Es wurde nichts umgetauscht.",
      no_wallet: "Das ist mit Ihrer Wallet oder dieser Währung nicht möglich. Es wurde nichts geändert.",
      wallet_closed:
        "Diese Wallet ist geschlossen. Es wurde nichts geändert. Bitte verwenden Sie eine andere Wallet.",
      no_rate:
        "Zwischen diesen Währungen ist zurzeit kein Wechselkurs verfügbar. Es wurde nichts umgetauscht. Bitte wählen Sie eine andere Währung.",
      not_found: "Das ist bereits erledigt.",
    },
  },
  languages: "Sprache",
};
