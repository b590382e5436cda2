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
    PENDING: "{merchant} bezahlen",
    PAID: "{amount} bezahlt",
    CANCELLED: "Zahlung abgebrochen",
    EXPIRED: "Die Zeit zum Zahlen ist um",
    REFUND_PENDING: "Geld ist auf dem Rückweg",
    REFUNDED: "{amount} erstattet",
  },

  order: {
    waiting: "Wartet auf Ihre Zahlung",
    reference: "Referenz {reference}",
    orderId: "Bestellung",
    timeLeft: "Noch {time} zum Zahlen",
    lastMinute: "Noch weniger als eine Minute zum Zahlen.",
    lastSeconds: "Noch 15 Sekunden zum Zahlen.",
    payBefore: "Zu zahlen bis {time}.",
    checkAgain: "Auf einem anderen Gerät bezahlt? Status prüfen",
  },
  connection: {
    offline: "Sie sind offline. Diese Seite macht von selbst weiter, sobald Sie wieder online sind.",
    lost: "Die Verbindung ist weg. Diese Seite versucht es weiter.",
    unavailable: "Der Zahlungsdienst antwortet nicht. Diese Seite versucht es weiter.",
    clock: "So lange steht die Uhr.",
  },

  check: {
    status: "Wird geprüft",
    title: "Ihre Zahlung wird geprüft",
    explanation:
      "Die Antwort ging unterwegs verloren. Diese Seite findet heraus, ob Sie bezahlt haben; bitte lassen Sie sie offen. Eine Bestellung wird nie doppelt abgebucht.",
    back: "Zurück zur Zahlung",
  },

  signIn: {
    title: "Mit Ihrer Tillgate-Wallet zahlen",
    identifier: "Telefonnummer oder E-Mail",
    pin: "PIN Ihrer Tillgate-Wallet",
    pinHint: "6 Ziffern",
    submit: "Weiter",
    stay: "Auf diesem Gerät angemeldet bleiben",
    stayHint: "Nur auf einem eigenen Gerät. Zum Zahlen brauchen Sie weiterhin Ihre PIN oder Ihren Passkey.",
    busy: "Anmeldung…",
    next: "Als Nächstes sehen Sie Ihre Wallet. Ohne Ihre Bestätigung wird nichts abgebucht.",
  },
  wallet: {
    signedIn: "Angemeldet als {name}",
    signOut: "Nicht Sie? Abmelden",
    signOutBusy: "Abmeldung…",
    wrongPinsElsewhere: "Jemand hat falsche PINs für Ihr Konto eingegeben.",
    wrongPinsElsewhereAdvice:
      "Es war nicht auf diesem Gerät. Niemand ist hineingekommen, und Sie können hier weiter zahlen. Außer Ihnen muss niemand Ihre PIN kennen.",
    choose: "Zahlen mit",
    name: "{currency}-Wallet",
    chosen: "gewählt",
    about: "etwa {price}",
    noRate: "kann nicht in {currency} zahlen",
    missing: "{missing} zu wenig",
    pay: "{amount} zahlen",
    busy: "Zahlung läuft…",
    pin: "PIN, zur Bestätigung, dass Sie es sind",
    next: "Sie zahlen einmal und sehen sofort Ihren Beleg.",
    notEnough: "Ihre {currency}-Wallet reicht nicht aus",
    notEnoughAdvice:
      "Für diese Zahlung sind {price} nötig; Ihre Wallet enthält {balance}, es fehlen also {missing}.",
    notEnoughTestAdvice:
      "Laden Sie sie hier auf: Das führt zu dieser Zahlung zurück. Oder zahlen Sie mit einer anderen.",
    notEnoughLiveAdvice:
      "Aufgeladen wird beim Betreiber dieses Zahlungsdienstes: Wenden Sie sich an ihn, oder zahlen Sie mit einer anderen Wallet.",
    none: "Sie haben keine Wallet, die in {currency} zahlen kann",
    noneTestAdvice:
      "Laden Sie auf: Das eröffnet Ihnen eine Wallet in {currency} und führt zur Zahlung zurück.",
    noneAdvice: "Haben Sie ein anderes Konto? Melden Sie sich ab und verwenden Sie dieses.",
    chooseAdvice: "Diese Zahlung ist in {currency}. Wählen Sie eine Wallet, um ihren genauen Preis zu sehen.",
    sandboxAdvice: "Im Testmodus gehen auch die Testknöpfe weiter unten.",
  },
  passkey: {
    recognised: "Willkommen zurück, {name}",
    pay: "{amount} mit Ihrem Passkey zahlen",
    usePin: "Stattdessen Ihre PIN verwenden",
    notUsed:
      "Es wurde kein Passkey verwendet und nichts bezahlt. Versuchen Sie es noch einmal oder verwenden Sie Ihre PIN.",
    noSupport: "Dieser Browser kennt keine Passkeys. Verwenden Sie Ihre PIN.",
    offer: "Nächstes Mal ohne PIN zahlen?",
    offerText:
      "Mit einem Passkey bestätigen Sie Zahlungen auf diesem Gerät mit Finger, Gesicht oder Displaysperre. Ihre PIN gilt weiterhin.",
    add: "Passkey hinzufügen",
    addBusy: "Passkey wird hinzugefügt…",
    notAdded: "Es wurde kein Passkey hinzugefügt. Sie können es noch einmal versuchen.",
    known: "Auf diesem Gerät haben Sie schon einen Passkey.",
    cannotAdd: "Dieser Browser kennt keine Passkeys.",
    title: "Passkeys",
    none: "Noch keiner. Ihre Quittung bietet nach einer Zahlung mit PIN einen an.",
    addedAt: "Hinzugefügt am {time}",
    usedAt: "Zuletzt verwendet am {time}",
    remove: "Entfernen",
  },
  quote: {
    pays: "Sie zahlen",
    receives: "{merchant} bekommt",
    rate: "Kurs",
    rateWithMargin: "Kurs, inkl. {margin} Marge",
    rateMarginIncluded: "Kurs, inkl. Marge",
    rateValue: "{one} = {rate}",
    heldFor: "Kurs gilt noch",
    heldUntil: "Kurs gilt bis",
    over: "Der Kurs gilt nicht mehr",
    overAdvice: "Kurse ändern sich. Holen Sie einen neuen; Sie sehen den genauen Preis, bevor Sie zahlen.",
    renew: "Aktuellen Preis zeigen",
    renewBusy: "Kurs wird geholt…",
  },
  sandbox: {
    title: "Testknöpfe",
    explanation:
      "Genehmigen zahlt von einem eingebauten Testkunden. Ablehnen zeigt eine Ablehnung; die Bestellung bleibt offen.",
    approve: "Genehmigen",
    approveBusy: "Wird genehmigt…",
    decline: "Ablehnen",
    declineBusy: "Wird abgelehnt…",
    signIn: "Als {name} anmelden",
    signInHint: "Im Testmodus ohne PIN.",
  },
  scan: {
    title: "Mit dem Handy zahlen",
    explanation: "Scannen Sie den Code mit seiner Kamera.",
    linkOnly: "Öffnen Sie dort diese Adresse.",
    live: "Diese Seite ändert sich von selbst, sobald Sie bezahlt haben.",
    open: "Mit einem anderen Gerät zahlen",
    watch: "Nur den Code zeigen und auf die Zahlung warten",
    watchTitle: "Zum Zahlen scannen",
    watching: "Diese Seite prüft alle paar Sekunden, ob Sie bezahlt haben.",
    back: "Doch auf diesem Gerät zahlen",
    picture: "QR-Code, um {amount} an {merchant} zu zahlen",
    address: "Zahlungsadresse",
    copy: "Kopieren",
    copied: "Kopiert",
    copyFailed: "Markiert: jetzt kopieren",
  },
  cancel: {
    open: "Zahlung abbrechen",
    question: "Diese Zahlung abbrechen? Die Bestellung kann dann nicht mehr bezahlt werden.",
    confirm: "Ja, abbrechen",
    busy: "Wird abgebrochen…",
  },

  receipt: {
    transaction: "Transaktion",
    time: "Zeit",
    refunded: "Erstattet",
    receivedBack: "Ihrer Wallet gutgeschrieben",
    paidFrom: "Aus Ihrer Wallet abgebucht",
    rate: "Kurs",
    next: "{merchant} hat Ihre Zahlung.",
    refundedInPart: "{refunded} von {amount} kamen in die Wallet zurück, die bezahlt hat.",
    print: "Drucken",
    copy: "Beleg kopieren",
    copied: "Kopiert",
    copyFailed: "Markiert: jetzt kopieren",
  },
  leaveScreen: {
    signedIn: "Sie sind noch angemeldet als {name}",
    advice: "Nutzen andere diesen Bildschirm? Dann melden Sie sich ab, bevor Sie gehen.",
    signOut: "Auf diesem Bildschirm abmelden",
  },
  ended: {
    CANCELLED: "Es wurde nichts abgebucht. Um doch zu zahlen, beginnen Sie bei {merchant} eine neue Zahlung.",
    EXPIRED:
      "Die Zeit zum Zahlen ist um, und es wurde nichts abgebucht. Für einen neuen Versuch beginnen Sie bei {merchant} eine neue Zahlung.",
    REFUND_PENDING: "{merchant} schickt Geld zurück. Es kommt in die Wallet, die bezahlt hat.",
    REFUNDED: "{merchant} hat den ganzen Betrag in die Wallet zurückgeschickt, die bezahlt hat.",
  },
  goBack: {
    link: "Zurück zu {merchant}",
    counting: "In {seconds} s geht es zurück zu {merchant}.",
    stop: "Hier bleiben",
  },

  landing: {
    title: "Was Ihr Shop erfahren hat",
    delivered: "Webhook an {host}: angekommen, Antwort {status}.",
    waiting: "Webhook an {host}: unterwegs.",
    refused: "Webhook an {host}: nicht angenommen, Antwort {status}; er wird erneut gesendet.",
    failed: "Webhook an {host}: aufgegeben.",
    none: "Es ging kein Webhook hinaus: Geben Sie der Bestellung eine callback_url, oder legen Sie einen Endpunkt an.",
    order: "Die Bestellung dort: {status}.",
    orderIs: {
      pending: "Zahlung ausstehend",
      "on-hold": "In Wartestellung",
      processing: "In Bearbeitung",
      completed: "Abgeschlossen",
      cancelled: "Storniert",
      refunded: "Erstattet",
      failed: "Fehlgeschlagen",
    },
  },
  amounts: {
    ambiguous:
      "„{typed}“ kann {small} oder {large} bedeuten. Geben Sie {smallSpelling} oder {largeSpelling} ein.",
    ambiguousLarge:
      "„{typed}“ kann {small} oder {large} bedeuten. Für den zweiten Betrag geben Sie {largeSpelling} ein.",
  },
  link: {
    goOn: "Begonnene Zahlung fortsetzen",
    go: "Weiter zur Zahlung",
    next: "Noch ist nichts bezahlt. Sie sehen gleich noch einmal den Betrag und zahlen dann aus Ihrer Wallet.",
    amount: "Betrag in {currency}",
    between: "Von {min} bis {max}.",
    atLeast: "Mindestens {min}.",
    atMost: "Höchstens {max}.",
    wrongAmount: "Dieser Betrag kann hier nicht bezahlt werden. Bitte geben Sie einen anderen ein.",
    slow: "Bitte warten Sie eine Minute und öffnen Sie den Link dann noch einmal. Es wurde nichts bezahlt.",
    away: "Es wurde nichts bezahlt. Bitte versuchen Sie es gleich noch einmal.",
    used: {
      title: "Das ist schon bezahlt",
      explanation:
        "Dieser Link von {merchant} galt für eine begrenzte Zahl von Zahlungen, und alle wurden gemacht. Von Ihnen wurde nichts abgebucht.",
    },
    expired: {
      title: "Dieser Link ist abgelaufen",
      explanation: "{merchant} nimmt darüber keine Zahlungen mehr an. Bitten Sie um einen neuen Link.",
    },
    closed: {
      title: "Dieser Link ist geschlossen",
      explanation: "{merchant} nimmt darüber im Moment keine Zahlungen an.",
    },
  },
  /** In a frame of the shop's page. */
  embed: {
    payHere: "Hier bezahlen",
    next: "Öffnet Tillgate in einem neuen Tab. Nur dort wird nach Ihrer PIN gefragt, nie auf der Seite des Shops.",
    scan: "Oder scannen Sie den Code mit der Kamera Ihres Handys.",
    receipt: "Beleg anzeigen",
  },
  till: {
    waits:
      "Hier ist noch keine Zahlung offen. Diese Seite öffnet sie von selbst, sobald der Betrag eingegeben ist.",
  },
  root: {
    explanation:
      "Eine Zahlung beginnt in einem Shop: Öffnen Sie dessen Zahlungsseite, oder scannen Sie dessen Code. Hier zahlen Sie dann mit Ihrer Tillgate-Wallet.",
  },
  notFound: {
    title: "Diese Zahlung gibt es nicht",
    explanation:
      "Vielleicht ist die Adresse unvollständig. Öffnen Sie die Zahlung noch einmal im Shop, oder scannen Sie den Code erneut.",
  },
  unavailable: {
    title: "Der Zahlungsdienst antwortet nicht",
    explanation:
      "Wenn Sie gerade bezahlt haben, zahlen Sie bitte kein zweites Mal: Das Ergebnis steht hier, sobald der Dienst wieder antwortet.",
    scriptAdvice: "Diese Seite schaut alle paar Sekunden nach und macht von selbst weiter.",
    retry: "Jetzt noch einmal versuchen",
  },
  failed: {
    title: "Hier ist etwas schiefgegangen",
    explanation:
      "Die Seite konnte nicht gezeigt werden. Bitte versuchen Sie es noch einmal; was bezahlt ist, bleibt bezahlt.",
  },
  refused: {
    title: "Dieser Schritt wurde nicht angenommen",
    origin: "Die Anfrage kam nicht von der Zahlungsseite; es wurde nichts getan.",
    method: "Diese Adresse nimmt nur die Formulare der Zahlungsseite. Es wurde nichts getan.",
    form: "Das Formular wurde nicht so gesendet, wie es die Zahlungsseite tut; es wurde nichts getan.",
    back: "Zur Zahlung",
  },

  notice: {
    form_rejected: "Diese Seite war veraltet; es wurde nichts getan. Bitte versuchen Sie es noch einmal.",
    wrong_sign_in:
      "Telefonnummer oder E-Mail und PIN passen nicht zusammen. Bitte versuchen Sie es noch einmal.",
    phone_without_country:
      "Geben Sie die Telefonnummer mit Ländervorwahl ein, zum Beispiel +49 171 2345678, oder Ihre E-Mail-Adresse. Das zählt nicht als falsche PIN.",
    wrong_pin: "Diese PIN stimmt nicht; es wurde nichts bezahlt. Bitte versuchen Sie es noch einmal.",
    pin_needed: "Bitte bestätigen Sie diese Zahlung mit Ihrer PIN. Noch wurde nichts bezahlt.",
    passkey_refused:
      "Der Passkey wurde nicht angenommen und nichts bezahlt. Versuchen Sie es noch einmal oder verwenden Sie Ihre PIN.",
    too_many_passkeys: "Es gibt schon zehn Passkeys. Entfernen Sie zuerst einen in Ihrer Wallet.",
    passkey_added: "Der Passkey ist hinzugefügt. Nächstes Mal können Sie damit zahlen.",
    passkey_not_added:
      "Es wurde kein Passkey hinzugefügt. Nach Ihrer nächsten Zahlung mit PIN können Sie einen hinzufügen.",
    invalid_pin: "Geben Sie die 6 Ziffern Ihrer PIN ein. Noch wurde nichts bezahlt.",
    locked:
      "Jemand hat zu viele falsche PINs für diese Telefonnummer oder E-Mail eingegeben; für neue Geräte ist sie vorerst gesperrt. Waren Sie das nicht? Es wurde nichts abgebucht, und ein Gerät, auf dem Sie schon angemeldet waren, geht weiterhin.",
    device_locked:
      "Auf diesem Gerät wurden zu viele falsche PINs eingegeben; zu Ihrer Sicherheit ist es vorerst gesperrt. Es wurde nichts bezahlt.",
    wrong_pins_before:
      "Bevor Sie sich angemeldet haben, hat jemand zu viele falsche PINs für Ihre Telefonnummer oder E-Mail eingegeben. Waren Sie das nicht? Niemand ist hineingekommen, und es wurde nichts abgebucht.",
    too_many_attempts: "Zu viele Versuche in kurzer Zeit.",
    not_signed_in: "Sie sind abgemeldet; es wurde nichts bezahlt. Bitte melden Sie sich wieder an.",
    no_wallet: "Ihr Konto hat keine Wallet, die das zahlen kann; es wurde nichts bezahlt.",
    wallet_closed: "Diese Wallet ist geschlossen; es wurde nichts bezahlt. Bitte verwenden Sie eine andere.",
    insufficient_balance: "Ihre Wallet reicht nicht aus; es wurde nichts bezahlt.",
    no_rate:
      "Zwischen dieser Wallet und dieser Zahlung gibt es zurzeit keinen Wechselkurs. Bitte verwenden Sie eine andere Wallet.",
    quote_expired:
      "Der Kurs galt nicht mehr; es wurde nichts bezahlt. Bitte sehen Sie den Preis an und bestätigen Sie noch einmal.",
    expired: "Die Zeit zum Zahlen war vor diesem Schritt um. Es wurde nichts abgebucht.",
    cancelled: "Diese Zahlung wurde vor diesem Schritt abgebrochen. Es wurde nichts abgebucht.",
    already_paid: "Diese Bestellung wurde schon anderswo bezahlt. Bei Ihnen wurde nichts abgebucht.",
    link_used:
      "Dieser Zahlungslink ist aufgebraucht: Andere haben zuerst bezahlt. Bei Ihnen wurde nichts abgebucht.",
    not_payable_now: "Diese Zahlung geht gerade nicht. Es wurde nichts abgebucht. Bitte fragen Sie den Shop.",
    sandbox_only: "Testknöpfe gehen nur im Testmodus.",
    not_found: "Diese Zahlung gibt es nicht.",
    invalid_field: "Geben Sie Ihre Telefonnummer oder E-Mail und die 6 Ziffern Ihrer PIN ein.",
    declined: "Zahlung abgelehnt. Das ist die Ablehnung zum Testen; Sie können es noch einmal versuchen.",
    unavailable:
      "Der Zahlungsdienst hat nicht geantwortet. Der Status unten ist aktuell: Sehen Sie ihn an, bevor Sie es noch einmal versuchen.",
    unconfirmed:
      "Der Zahlungsdienst hat zu spät geantwortet. Es wurde nichts abgebucht. Versuchen Sie es noch einmal.",
    pins_differ:
      "Die neue PIN und ihre Wiederholung sind verschieden. Bitte geben Sie beide noch einmal ein.",
    trivial_pin: "Diese PIN ist zu leicht zu erraten. Bitte wählen Sie eine andere.",
    same_pin: "Diese PIN haben Sie schon. Bitte wählen Sie eine andere.",
    identifier_taken:
      "Zu dieser Telefonnummer oder E-Mail gibt es schon ein Wallet. Bitte melden Sie sich damit an.",
    unknown_shopper: "Keine Test-Wallet hat diese Telefonnummer oder E-Mail.",
    conversion_expired:
      "Der Kurs galt nicht mehr, also wurde nichts umgetauscht. Bitte sehen Sie sich den neuen an.",
    cookies_needed:
      "Ihr Browser behält für diese Seite keine Cookies. Erlauben Sie sie und versuchen Sie es noch einmal.",
  },
  lostAnswer: {
    offline:
      "Sie sind offline. Es wurde nichts gesendet und nichts abgebucht. Diese Seite prüft erneut, sobald Sie wieder online sind.",
    unknown:
      "Die Verbindung brach ab, bevor eine Antwort kam. Diese Seite prüft, ob Sie bezahlt haben. Eine Bestellung wird nie doppelt bezahlt.",
    unpaid: "Es wurde nichts abgebucht. Versuchen Sie es noch einmal.",
    step: "Die Verbindung brach ab. Vielleicht wurde das nicht ausgeführt. Versuchen Sie es noch einmal.",
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
  /** The shopper's wallet at the pay origin. */
  account: {
    title: "Ihre Tillgate-Wallet",
    nav: { label: "Wallet", home: "Übersicht", activity: "Umsätze", security: "Sicherheit" },
    signOut: "Abmelden",
    back: "Zur Wallet",
    away: "Ihr Geld ist sicher. Bitte versuchen Sie es gleich noch einmal.",
    notFound: {
      title: "Diese Seite gibt es nicht",
      explanation: "Die Adresse ist vielleicht unvollständig, oder sie gehört zu einer anderen Wallet.",
    },
    signIn: {
      title: "In der Wallet anmelden",
      next: "Danach sehen Sie Ihre Guthaben und Zahlungen. Hier wird nichts bezahlt.",
      live: "Stattdessen in einer echten Wallet anmelden",
      sandbox: "Stattdessen in einer Test-Wallet anmelden",
    },
    balances: { title: "Guthaben", none: "Sie haben noch in keiner Währung eine Wallet." },
    latest: "Letzte Umsätze",
    all: "Alle Umsätze",
    activity: {
      title: "Umsätze",
      none: "Hier ist noch nichts geschehen.",
      filter: "Konto",
      every: "Alle Währungen",
      pages: "Seiten",
      newer: "Neuere",
      older: "Ältere",
    },
    kind: {
      payment: "Zahlung an {merchant}",
      refund: "Rückzahlung von {merchant}",
      payout: "Geld von {merchant}",
      deposit: "Aufladung",
      withdrawal: "Auszahlung",
      top_up: "Aufladung für eine Testzahlung",
      conversion: "Umgetauscht",
    },
    receipt: {
      back: "Zurück zu allen Umsätzen",
      reference: "Referenz",
      refund: "Rückzahlung",
      payout: "Auszahlung",
      page: "Beleg des Shops",
      payment: "Zahlung ansehen",
      refundedBy: "Von {merchant} erstattet",
      refunds: "Was zurückkam",
      completed: "{amount} kamen am {time} zurück.",
      pending: "{amount} sind seit {time} auf dem Rückweg.",
    },
    pin: {
      title: "PIN ändern",
      hint: "Alle anderen, die in Ihrer Wallet angemeldet sind, werden dann abgemeldet.",
      old: "Bisherige PIN",
      new: "Neue PIN",
      repeat: "Neue PIN, noch einmal",
      submit: "PIN ändern",
    },
    hidden:
      "Die PIN wurde nur mit Telefonnummer oder E-Mail zurückgesetzt. Name, Kontaktdaten, Guthaben und frühere Umsätze sind deshalb ausgeblendet. Bezahlen können Sie weiterhin.",
    security: {
      sessions: "Wo Sie angemeldet sind",
      signedInAt: "Angemeldet am {time}",
      current: "dieser Browser",
      unknown: "Unbekannter Browser",
      everywhere: "Überall abmelden",
      everywhereHint: "Beendet alle diese Anmeldungen, auch diese hier. Zum Bezahlen melden Sie sich neu an.",
      devices: "Bekannte Geräte",
      devicesHint:
        "Hier haben Sie sich schon angemeldet: Falsche PINs, die Fremde anderswo eingeben, sperren Sie hier nicht aus. Vergessen Sie ein Gerät, das Sie nicht mehr haben.",
      usedAt: "Zuletzt angemeldet am {time}",
      forget: "Vergessen",
    },
    money: {
      currency: "Währung",
      amount: "Betrag",
    },
    topUp: {
      title: "Aufladen",
      hint: "Testgeld ist sofort in der Wallet. Es ist nichts wert.",
      submit: "Jetzt aufladen",
    },
    convert: {
      title: "Umtauschen",
      from: "Von",
      to: "In",
      gives: "Sie geben",
      gets: "Sie erhalten",
      submit: "Jetzt umtauschen",
      again: "Ein anderer Betrag",
    },
    make: {
      title: "Wallet anlegen",
      none: "Noch keine Wallet?",
      hint: "Das ist eine Test-Wallet: Jeder Name ist recht, und es fließt kein echtes Geld.",
      forOrder: "Sie legen eine Test-Wallet an und kehren dann zurück, um {amount} an {merchant} zu zahlen.",
      live: "Der Betreiber dieses Zahlungsdienstes eröffnet Wallets. Fragen Sie dort danach, oder wählen Sie im Shop eine andere Zahlungsart.",
      name: "Ihr Name",
      email: "E-Mail-Adresse",
      eitherHint: "oder eine Telefonnummer",
      phone: "Telefonnummer",
      phoneHint: "mit Ländervorwahl",
      pin: "Wählen Sie eine PIN",
      repeat: "PIN, noch einmal",
      amount: "Testgeld für den Anfang",
      submit: "Wallet anlegen",
      signIn: "Sie haben eines? Anmelden",
    },
    forgot: {
      title: "PIN vergessen?",
      hint: "Im Testmodus setzen Sie hier eine neue. Alle Anmeldungen dieser Wallet enden. Danach sind Name, Kontaktdaten, Guthaben und frühere Umsätze ausgeblendet.",
      live: "Ihr Geld ist sicher. Fragen Sie den Betreiber dieses Zahlungsdienstes: Dort wird Ihre PIN zurückgesetzt, und Sie erhalten eine neue.",
      submit: "Neue PIN setzen",
    },
    done: {
      pin_set: "Ihre neue PIN gilt.",
      made: "Ihre Wallet ist bereit.",
      topped_up: "Das Geld ist in Ihrer Wallet.",
      converted: "Umgetauscht.",
      signed_out: "Sie sind abgemeldet.",
      signed_out_everywhere: "Sie sind überall abgemeldet.",
      session_ended: "Jener Browser ist abgemeldet.",
      device_forgotten: "Das Gerät ist vergessen und abgemeldet.",
      passkey_removed: "Der Passkey bestätigt nichts mehr. Sie können ihn auch auf Ihrem Gerät löschen.",
      pin_changed: "Ihre PIN ist geändert. Überall sonst sind Sie abgemeldet.",
    },
    fault: {
      name: "Bitte geben Sie einen Namen ein.",
      email: "Geben Sie eine E-Mail wie name@example.com ein, oder unten eine Telefonnummer.",
      phone:
        "Geben Sie eine Telefonnummer mit Landesvorwahl ein, etwa +33 6 12 34 56 78, oder oben eine E-Mail.",
      identifier: "Geben Sie Telefonnummer oder E-Mail der Wallet ein.",
      currency: "Wählen Sie eine Währung der Liste.",
      amount: "Geben Sie einen Betrag über null ein, etwa 12,50.",
      pin: "Geben Sie 6 Ziffern ein.",
      repeated_pin: "Tippen Sie dieselben 6 Ziffern wie oben.",
    },
    notice: {
      wrong_pin: "Diese PIN stimmt nicht, also wurde nichts geändert. Bitte versuchen Sie es noch einmal.",
      invalid_field: "Etwas fehlt oder stimmt nicht. Bitte sehen Sie jedes Feld noch einmal an.",
      invalid_pin: "Eine PIN hat 6 Ziffern. Bitte füllen Sie jedes Feld aus.",
      device_locked:
        "Auf diesem Gerät wurden zu viele falsche PINs eingegeben; zu Ihrer Sicherheit ist es gesperrt.",
      not_signed_in: "Sie sind abgemeldet, also wurde nichts getan. Bitte melden Sie sich wieder an.",
      not_found: "Das war schon beendet.",
    },
  },
  languages: "Sprache",
};
