import type { Texts } from "./en";

export const fr: Texts = {
  footer: "Paiement sécurisé par Tillgate. La boutique ne voit jamais votre code PIN ni votre solde.",
  legal: { terms: "Conditions d’utilisation", privacy: "Politique de confidentialité" },
  testMode: {
    title: "MODE TEST",
    explanation: "Aucun argent réel n’est en jeu.",
    pageTitle: "TEST : {title}",
    receipt: "MODE TEST : aucun argent réel n’était en jeu.",
  },

  title: {
    PENDING: "Payer {amount} à {merchant}",
    PAID: "Payé : {amount} à {merchant}",
    CANCELLED: "Paiement annulé : {merchant}",
    EXPIRED: "Paiement expiré : {merchant}",
    REFUND_PENDING: "Remboursement en cours : {merchant}",
    REFUNDED: "Remboursé : {amount} par {merchant}",
  },
  heading: {
    PENDING: "Payer {merchant}",
    PAID: "Vous avez payé {amount}",
    CANCELLED: "Paiement annulé",
    EXPIRED: "Paiement expiré",
    REFUND_PENDING: "Remboursement en cours",
    REFUNDED: "Remboursement de {amount} effectué",
  },

  order: {
    waiting: "En attente de votre paiement",
    reference: "Référence {reference}",
    orderId: "Commande",
    timeLeft: "Encore {time} pour payer",
    lastMinute: "Il vous reste moins d’une minute pour payer.",
    lastSeconds: "Il vous reste 15 secondes pour payer.",
    payBefore: "À payer avant le {time}.",
    checkAgain: "Vous avez payé sur un autre appareil ? Vérifier le statut",
  },
  connection: {
    offline: "Vous êtes hors ligne. Cette page se mettra à jour dès que la connexion sera rétablie.",
    lost: "Connexion perdue. Nouvelle tentative en cours…",
    unavailable: "Le service de paiement est injoignable. Nouvelle tentative en cours…",
    clock: "En attendant, le temps restant n’est pas actualisé.",
  },

  check: {
    status: "Vérification",
    title: "Vérification de votre paiement",
    explanation:
      "Nous n’avons pas reçu de réponse à temps. Nous vérifions si votre paiement est passé : gardez cette page ouverte. Vous ne serez jamais débité deux fois pour une même commande.",
    back: "Revenir au paiement",
  },

  signIn: {
    title: "Payer avec votre portefeuille Tillgate",
    identifier: "Numéro de téléphone ou e-mail",
    pin: "Code PIN du portefeuille Tillgate",
    pinHint: "6 chiffres",
    submit: "Continuer",
    stay: "Rester connecté sur cet appareil",
    stayHint:
      "Uniquement sur votre propre appareil. Votre code PIN ou votre clé d’accès restera nécessaire pour payer.",
    busy: "Connexion…",
    next: "Vous verrez ensuite votre portefeuille. Rien n’est débité sans votre confirmation.",
  },
  wallet: {
    signedIn: "Compte : {name}",
    signOut: "Ce n’est pas vous ? Se déconnecter",
    signOutBusy: "Déconnexion…",
    wrongPinsElsewhere: "Quelqu’un a saisi des codes PIN erronés en essayant d’accéder à votre compte.",
    wrongPinsElsewhereAdvice:
      "Ces tentatives ne proviennent pas de cet appareil. Personne n’a pu se connecter et vous pouvez continuer à payer ici. Ne communiquez jamais votre code PIN.",
    choose: "Payer avec",
    name: "Portefeuille {currency}",
    chosen: "sélectionné",
    about: "environ {price}",
    noRate: "ne permet pas de payer en {currency}",
    missing: "il manque {missing}",
    pay: "Payer {amount}",
    busy: "Paiement…",
    pin: "Saisissez votre code PIN pour confirmer",
    next: "Vous ne serez débité qu’une seule fois et obtiendrez aussitôt votre reçu.",
    notEnough: "Solde insuffisant sur votre portefeuille {currency}",
    notEnoughHidden: "Il vous faut {price} pour ce paiement.",
    notEnoughAdvice:
      "Il vous faut {price} pour ce paiement et votre solde est de {balance} : il vous manque {missing}.",
    notEnoughTestAdvice:
      "Rechargez-le ici et revenez directement à ce paiement, ou payez avec un autre portefeuille.",
    notEnoughLiveAdvice:
      "Contactez l’opérateur de ce service de paiement pour recharger votre portefeuille, ou payez avec un autre.",
    none: "Aucun de vos portefeuilles ne permet d’effectuer ce paiement",
    noneTestAdvice:
      "Rechargez pour ouvrir un portefeuille en {currency}. Vous reviendrez ensuite ici pour payer.",
    noneAdvice: "Vous avez un autre compte ? Déconnectez-vous et utilisez-le.",
    chooseAdvice: "Ce paiement est en {currency}. Choisissez un portefeuille pour voir le prix exact.",
    sandboxAdvice: "En mode test, vous pouvez aussi utiliser les boutons de test ci-dessous.",
  },
  passkey: {
    recognised: "Ravis de vous revoir, {name}",
    pay: "Payer {amount} avec votre clé d’accès",
    usePin: "Utiliser plutôt le code PIN",
    notUsed:
      "Aucune clé d’accès n’a été utilisée et rien n’a été débité. Réessayez ou utilisez votre code PIN.",
    noSupport: "Ce navigateur ne prend pas en charge les clés d’accès. Utilisez votre code PIN.",
    offer: "Payer sans code PIN la prochaine fois ?",
    offerText:
      "Avec une clé d’accès, vous confirmez vos paiements sur cet appareil avec votre empreinte, votre visage ou le verrouillage de l’écran. Votre code PIN reste valable.",
    add: "Ajouter une clé d’accès",
    addBusy: "Ajout de la clé d’accès…",
    notAdded: "Aucune clé d’accès n’a été ajoutée. Vous pouvez réessayer.",
    known: "Vous avez déjà une clé d’accès sur cet appareil.",
    cannotAdd: "Ce navigateur ne prend pas en charge les clés d’accès.",
    title: "Clés d’accès",
    none: "Aucune clé d’accès. Après un paiement avec votre code PIN, vous pourrez en ajouter une depuis le reçu.",
    addedAt: "Ajoutée le {time}",
    usedAt: "Dernière utilisation le {time}",
    remove: "Supprimer",
  },
  quote: {
    pays: "Vous payez",
    receives: "{merchant} reçoit",
    rate: "Taux",
    rateWithMargin: "Taux, marge de {margin} comprise",
    rateMarginIncluded: "Taux, marge comprise",
    rateValue: "{one} = {rate}",
    heldFor: "Taux garanti pendant",
    heldUntil: "Taux garanti jusqu’au",
    over: "Ce taux a expiré",
    overAdvice: "Les taux de change évoluent. Actualisez le taux pour voir le prix exact avant de payer.",
    renew: "Actualiser le taux",
    renewBusy: "Actualisation du taux…",
  },
  sandbox: {
    title: "Boutons de test",
    explanation:
      "« Approuver » paie en tant que client de test. « Refuser » simule un paiement refusé ; la commande reste à payer.",
    approve: "Approuver",
    approveBusy: "Approbation…",
    decline: "Refuser",
    declineBusy: "Refus…",
    signIn: "Se connecter : {name}",
    signInHint: "Pas de code PIN en mode test.",
  },
  scan: {
    title: "Payer avec votre téléphone",
    explanation: "Scannez le code avec l’appareil photo de votre téléphone.",
    linkOnly: "Ouvrez cette adresse sur votre téléphone.",
    live: "Cette page se met à jour dès que vous avez payé.",
    open: "Payer avec un autre appareil",
    watch: "Afficher uniquement le code et attendre le paiement",
    watchTitle: "Scannez pour payer",
    watching: "Cette page vérifie automatiquement, à quelques secondes d’intervalle, si vous avez payé.",
    back: "Payer plutôt sur cet appareil",
    picture: "Code QR pour payer {amount} à {merchant}",
    address: "Adresse de la page de paiement",
    copy: "Copier",
    copied: "Copié",
    copyFailed: "Copie impossible. Le texte est sélectionné.",
  },
  cancel: {
    open: "Annuler le paiement",
    question: "Annuler ce paiement ? Pour payer plus tard, vous devrez recommencer dans la boutique.",
    confirm: "Oui, annuler",
    busy: "Annulation…",
  },

  receipt: {
    transaction: "Transaction",
    time: "Date",
    refunded: "Montant remboursé",
    receivedBack: "Remboursé sur votre portefeuille",
    paidFrom: "Débité de votre portefeuille",
    rate: "Taux",
    next: "{merchant} a reçu votre paiement.",
    refundedInPart:
      "Vous avez été remboursé de {refunded} sur {amount}. L’argent a été recrédité sur le portefeuille utilisé pour payer.",
    print: "Imprimer",
    copy: "Copier le reçu",
    copied: "Copié",
    copyFailed: "Copie impossible. Le texte est sélectionné.",
  },
  leaveScreen: {
    signedIn: "Votre session est toujours ouverte : {name}",
    advice: "Appareil partagé ? Déconnectez-vous avant de partir.",
    signOut: "Se déconnecter de cet appareil",
  },
  ended: {
    CANCELLED:
      "Rien n’a été débité. Si vous souhaitez toujours payer, lancez un nouveau paiement chez {merchant}.",
    EXPIRED:
      "Le délai est écoulé et rien n’a été débité. Pour réessayer, lancez un nouveau paiement chez {merchant}.",
    REFUND_PENDING:
      "{merchant} a demandé un remboursement de {refund}. Une fois celui-ci effectué, l’argent sera sur le portefeuille utilisé pour payer.",
    REFUNDED: "{merchant} a remboursé la totalité du montant sur le portefeuille utilisé pour payer.",
  },
  returnToShop: {
    link: "Retourner sur {merchant}",
    counting: "Retour sur {merchant} dans {seconds} s.",
    stop: "Rester ici",
  },

  deliveries: {
    title: "Envois de webhooks",
    delivered: "Webhook vers {host} : reçu, réponse {status}.",
    waiting: "Webhook vers {host} : pas encore reçu.",
    rejected: "Webhook vers {host} : échec, réponse {status}. Nouvel essai à venir.",
    failed: "Webhook vers {host} : échec définitif.",
    none: "Aucun webhook envoyé. Renseignez callback_url dans la commande ou ajoutez un point de terminaison.",
    order: "Statut de la commande dans votre boutique : {status}.",
    orderIs: {
      pending: "En attente de paiement",
      "on-hold": "En attente",
      processing: "En cours",
      completed: "Terminée",
      cancelled: "Annulée",
      refunded: "Remboursée",
      failed: "Échouée",
    },
  },
  amounts: {
    ambiguous: "« {typed} » peut signifier {small} ou {large}. Saisissez {smallSpelling} ou {largeSpelling}.",
    ambiguousLarge: "« {typed} » peut signifier {small} ou {large}. Pour {large}, saisissez {largeSpelling}.",
  },
  link: {
    resume: "Reprendre votre paiement",
    go: "Passer au paiement",
    next: "Vous vérifierez ensuite le montant, puis paierez avec votre portefeuille. Rien n’est débité sans votre confirmation.",
    amount: "Montant en {currency}",
    between: "De {min} à {max}.",
    atLeast: "{min} minimum.",
    atMost: "{max} maximum.",
    wrongAmount: "Ce montant ne peut pas être payé ici. Saisissez-en un autre.",
    rate_limited: "Patientez une minute, puis rouvrez le lien. Rien n’a été débité.",
    away: "Ouvrir ce lien n’entraîne aucun débit. Veuillez réessayer dans un instant.",
    used: {
      title: "Ce lien a déjà été utilisé",
      explanation:
        "{merchant} a limité le nombre de paiements avec ce lien et tous ont été effectués. Ce lien ne permet plus de payer.",
    },
    expired: {
      title: "Ce lien a expiré",
      explanation: "{merchant} n’accepte plus de nouveaux paiements avec ce lien. Demandez un nouveau lien.",
    },
    closed: {
      title: "Ce lien est désactivé",
      explanation: "{merchant} n’accepte pas de nouveaux paiements avec ce lien pour le moment.",
    },
  },
  embed: {
    payHere: "Payer avec Tillgate",
    next: "Tillgate s’ouvrira dans un nouvel onglet. Ne saisissez votre code PIN que dans cet onglet, jamais sur la page de la boutique.",
    scan: "Ou scannez le code avec l’appareil photo de votre téléphone.",
    receipt: "Afficher le reçu",
  },
  till: {
    waiting: "En attente de la saisie du montant par la boutique. Le paiement s’ouvrira ici automatiquement.",
  },
  root: {
    explanation:
      "Un paiement commence dans une boutique : passez-y commande ou scannez son code. Vous payez ensuite ici avec votre portefeuille Tillgate.",
  },
  notFound: {
    title: "Paiement introuvable",
    explanation:
      "L’adresse est peut-être incomplète. Rouvrez le paiement depuis la boutique ou scannez à nouveau le code.",
  },
  unavailable: {
    title: "Le service de paiement est injoignable",
    explanation:
      "Si vous venez de payer, ne payez pas une seconde fois : le résultat s’affichera ici dès que le service sera rétabli.",
    scriptAdvice: "Cette page réessaie automatiquement, à quelques secondes d’intervalle.",
    retry: "Réessayer",
  },
  failed: {
    title: "Une erreur s’est produite",
    explanation:
      "Impossible d’afficher cette page. Veuillez réessayer. Les paiements déjà effectués ne sont pas concernés.",
  },
  rejected: {
    title: "Cette étape n’a pas abouti",
    origin: "La requête ne venait pas de la page de paiement : rien n’a été modifié.",
    method: "Cette adresse n’accepte que les formulaires de la page de paiement. Rien n’a été modifié.",
    size: "Le formulaire était trop volumineux : rien n’a été modifié.",
    form: "Le formulaire n’était pas valide : rien n’a été modifié.",
    back: "Aller au paiement",
  },

  notice: {
    form_rejected: "Cette page n’était plus à jour : rien n’a été modifié. Veuillez réessayer.",
    wrong_sign_in: "Numéro de téléphone, e-mail ou code PIN incorrect. Veuillez réessayer.",
    phone_without_country:
      "Saisissez le numéro avec l’indicatif du pays, par exemple +33 6 12 34 56 78, ou votre e-mail. Cela ne compte pas comme un code PIN erroné.",
    wrong_pin: "Code PIN incorrect. Rien n’a été débité. Veuillez réessayer.",
    pin_needed: "Saisissez votre code PIN pour confirmer ce paiement. Rien n’a encore été débité.",
    passkey_refused:
      "Nous n’avons pas pu vérifier votre clé d’accès et rien n’a été débité. Réessayez ou utilisez votre code PIN.",
    too_many_passkeys:
      "Vous avez atteint la limite de 10 clés d’accès. Supprimez-en une dans votre portefeuille pour en ajouter une autre.",
    passkey_added: "Clé d’accès ajoutée. Vous pourrez l’utiliser pour votre prochain paiement.",
    passkey_not_added:
      "Aucune clé d’accès n’a été ajoutée. Vous pourrez en ajouter une après votre prochain paiement avec code PIN.",
    invalid_pin: "Saisissez votre code PIN à 6 chiffres. Rien n’a encore été débité.",
    locked:
      "Trop de codes PIN erronés ont été saisis : la connexion avec ce numéro ou cet e-mail est temporairement bloquée sur les nouveaux appareils. Rien n’a été débité. Vous pouvez toujours vous connecter sur les appareils que vous avez déjà utilisés.",
    device_locked:
      "Trop de codes PIN erronés ont été saisis sur cet appareil. Par sécurité, il est temporairement bloqué. Rien n’a été débité.",
    wrong_pins_before:
      "Avant votre connexion, quelqu’un a saisi trop de codes PIN erronés pour votre numéro ou votre e-mail. Personne n’a pu se connecter et rien n’a été débité.",
    too_many_attempts: "Trop de tentatives.",
    not_signed_in: "Vous avez été déconnecté et rien n’a été débité. Veuillez vous reconnecter.",
    no_wallet: "Aucun de vos portefeuilles ne permet ce paiement. Rien n’a été débité.",
    wallet_closed:
      "Votre portefeuille ou celui de la boutique est fermé. Rien n’a été débité. Utilisez un autre portefeuille ou contactez la boutique.",
    insufficient_balance: "Le solde de votre portefeuille est insuffisant. Rien n’a été débité.",
    no_rate:
      "Aucun taux de change n’est disponible entre ce portefeuille et ce paiement pour le moment. Rien n’a été débité. Veuillez utiliser un autre portefeuille.",
    quote_expired:
      "Le taux de change a expiré et rien n’a été débité. Vérifiez le nouveau prix, puis confirmez à nouveau.",
    expired: "Ce paiement a expiré avant votre confirmation. Rien n’a été débité.",
    cancelled: "Ce paiement a été annulé avant votre confirmation. Rien n’a été débité.",
    already_paid: "Cette commande a déjà été payée. Cette tentative n’a donné lieu à aucun débit.",
    link_used:
      "Ce lien de paiement a atteint son nombre maximal de paiements. Ce paiement n’a donné lieu à aucun débit.",
    not_payable_now: "Ce paiement est impossible pour le moment. Rien n’a été débité. Contactez la boutique.",
    sandbox_only: "Les boutons de test ne fonctionnent qu’en mode test.",
    not_found: "Paiement introuvable.",
    invalid_field: "Saisissez votre numéro de téléphone ou votre e-mail, et votre code PIN à 6 chiffres.",
    declined: "Paiement refusé. Il s’agit d’un refus simulé ; vous pouvez réessayer.",
    unavailable:
      "Le service de paiement n’a pas répondu. Le statut ci-dessous est à jour : vérifiez-le avant de réessayer.",
    unconfirmed:
      "Le service de paiement a mis trop de temps à répondre. Vous n’avez pas été débité. Réessayez.",
    pins_differ: "Les codes PIN ne correspondent pas. Saisissez deux fois le nouveau code.",
    trivial_pin: "Ce code PIN est trop facile à deviner. Veuillez en choisir un autre.",
    same_pin: "C’est déjà votre code PIN. Veuillez en choisir un autre.",
    identifier_taken: "Un portefeuille existe déjà avec ce numéro ou cet e-mail. Connectez-vous.",
    unknown_shopper: "Aucun portefeuille de test ne correspond à ce numéro ou à cet e-mail.",
    conversion_expired: "Le taux de change a expiré : rien n’a été converti. Vérifiez le nouveau taux.",
    cookies_needed: "Votre navigateur bloque les cookies de cette page. Autorisez-les, puis réessayez.",
  },
  lostResponse: {
    offline:
      "Vous êtes hors ligne. Rien n’a été envoyé et vous n’avez pas été débité. Nous vérifierons à nouveau dès que la connexion sera rétablie.",
    unknown:
      "La connexion a été coupée avant la réponse. Nous vérifions si votre paiement est passé. Vous ne serez jamais débité deux fois pour une même commande.",
    unpaid: "Vous n’avez pas été débité. Réessayez.",
    step: "La connexion a été coupée : l’action n’a peut-être pas abouti. Réessayez.",
    again: "Réessayer",
  },
  missing: "Il vous manque {missing}.",
  wait: {
    seconds: "Veuillez réessayer dans {count, plural, one {# seconde} other {# secondes}}.",
    minutes: "Veuillez réessayer dans {count, plural, one {# minute} other {# minutes}}.",
    hours: "Veuillez réessayer dans {count, plural, one {# heure} other {# heures}}.",
    clock: "Vous pourrez réessayer dans {time}.",
    over: "Vous pouvez réessayer maintenant.",
  },
  account: {
    title: "Votre portefeuille Tillgate",
    nav: { label: "Portefeuille", home: "Accueil", activity: "Opérations", security: "Sécurité" },
    signOut: "Se déconnecter",
    back: "Aller au portefeuille",
    away: "Votre argent est en sécurité. Veuillez réessayer dans un instant.",
    notFound: {
      title: "Page introuvable",
      explanation: "L’adresse est peut-être incomplète, ou cette page appartient à un autre portefeuille.",
    },
    signIn: {
      title: "Se connecter à votre portefeuille",
      next: "Vous verrez ensuite vos soldes et vos paiements. Rien ne sera débité.",
      live: "Se connecter à un portefeuille réel",
      sandbox: "Se connecter à un portefeuille de test",
    },
    balances: { title: "Soldes", none: "Vous n’avez pas encore de portefeuille." },
    latest: "Dernières opérations",
    all: "Toutes les opérations",
    activity: {
      title: "Opérations",
      none: "Aucune opération pour l’instant.",
      filter: "Portefeuille",
      every: "Tous",
      pages: "Pages",
      newer: "Plus récentes",
      older: "Plus anciennes",
    },
    kind: {
      payment: "Paiement à {merchant}",
      refund: "Remboursement reçu : {merchant}",
      payout: "Versement reçu : {merchant}",
      deposit: "Recharge",
      withdrawal: "Retrait",
      top_up: "Recharge pour un paiement de test",
      conversion: "Conversion",
    },
    receipt: {
      back: "Revenir aux opérations",
      reference: "Référence",
      refund: "Remboursement",
      payout: "Versement",
      page: "Reçu de la boutique",
      payment: "Voir le paiement",
      refundedBy: "Remboursé par {merchant}",
      refunds: "Remboursements",
      completed: "Remboursement de {amount} le {time}.",
      pending: "Remboursement de {amount} en cours depuis le {time}.",
    },
    pin: {
      title: "Modifier votre code PIN",
      hint: "Vous serez déconnecté de tous vos autres appareils.",
      old: "Code PIN actuel",
      new: "Nouveau code PIN",
      repeat: "Confirmez le nouveau code PIN",
      submit: "Modifier le code PIN",
    },
    hidden:
      "Votre code PIN a été réinitialisé sur simple indication d’un numéro de téléphone ou d’un e-mail : votre nom, vos coordonnées, vos soldes et vos opérations antérieures sont masqués. Vous pouvez toujours payer.",
    security: {
      sessions: "Sessions actives",
      signedInAt: "Connecté le {time}",
      current: "ce navigateur",
      unknown: "Navigateur inconnu",
      everywhere: "Se déconnecter partout",
      everywhereHint:
        "Met fin à toutes les sessions ci-dessus, y compris celle-ci, et supprime tous les autres appareils de confiance.",
      devices: "Appareils de confiance",
      devicesHint:
        "Vous vous êtes déjà connecté sur ces appareils : vous pourrez encore le faire, même si trop de codes PIN erronés sont saisis ailleurs. Supprimez les appareils que vous n’avez plus.",
      usedAt: "Dernière connexion le {time}",
      forget: "Supprimer",
    },
    money: {
      currency: "Devise",
      amount: "Montant",
    },
    topUp: {
      title: "Recharger",
      hint: "L’argent de test est crédité aussitôt. Il n’a aucune valeur réelle.",
      submit: "Recharger",
    },
    convert: {
      title: "Convertir",
      from: "De",
      to: "Vers",
      gives: "Vous convertissez",
      gets: "Vous recevez",
      quote: "Obtenir le taux actuel",
      submit: "Convertir",
      again: "Modifier le montant",
    },
    create: {
      title: "Créer un portefeuille",
      none: "Pas encore de portefeuille ?",
      hint: "Il s’agit d’un portefeuille de test : n’importe quel nom convient et aucun argent réel n’est en jeu.",
      forOrder: "Créez un portefeuille de test, puis revenez payer {amount} à {merchant}.",
      live: "Les portefeuilles sont ouverts par l’opérateur de ce service de paiement. Contactez-le pour en obtenir un, ou choisissez un autre moyen de paiement dans la boutique.",
      name: "Votre nom",
      email: "E-mail",
      eitherHint: "ou un numéro de téléphone",
      phone: "Numéro de téléphone",
      phoneHint: "avec l’indicatif du pays",
      pin: "Choisissez un code PIN",
      repeat: "Confirmez le code PIN",
      amount: "Solde de test initial",
      submit: "Créer le portefeuille",
      signIn: "Vous en avez déjà un ? Connectez-vous",
    },
    forgot: {
      title: "Code PIN oublié ?",
      hint: "En mode test, vous pouvez définir un nouveau code PIN ici. Vous serez déconnecté partout, et le nom, les coordonnées, les soldes et les opérations antérieures du portefeuille seront masqués.",
      live: "Votre argent est en sécurité. Contactez l’opérateur de ce service de paiement pour réinitialiser votre code PIN.",
      submit: "Définir le nouveau code PIN",
    },
    done: {
      pin_set: "Votre nouveau code PIN est enregistré.",
      made: "Votre portefeuille est prêt.",
      topped_up: "Votre portefeuille a été crédité.",
      converted: "Conversion effectuée.",
      signed_out: "Vous êtes déconnecté.",
      signed_out_everywhere: "Vous êtes déconnecté partout.",
      session_ended: "Ce navigateur a été déconnecté.",
      device_forgotten: "Appareil supprimé et déconnecté.",
      passkey_removed:
        "Clé d’accès supprimée. Elle ne permet plus de confirmer de paiements ; vous pouvez aussi la supprimer de votre appareil.",
      pin_changed: "Code PIN modifié. Vous avez été déconnecté de tous vos autres appareils.",
    },
    fieldErrors: {
      name: "Saisissez un nom.",
      email: "Saisissez une adresse e-mail comme nom@example.com, ou un numéro de téléphone ci-dessous.",
      phone:
        "Saisissez un numéro avec l’indicatif du pays, comme +33 6 12 34 56 78, ou une adresse e-mail ci-dessus.",
      identifier: "Saisissez le numéro de téléphone ou l’e-mail du portefeuille.",
      currency: "Choisissez une devise dans la liste.",
      amount: "Saisissez un montant supérieur à zéro, comme 12,50.",
      pin: "Saisissez 6 chiffres.",
      repeated_pin: "Les codes PIN ne correspondent pas.",
    },
    notice: {
      wrong_pin: "Code PIN incorrect. Rien n’a été modifié. Veuillez réessayer.",
      invalid_field: "Des informations sont manquantes ou incorrectes. Veuillez vérifier chaque champ.",
      invalid_pin: "Chaque code PIN doit comporter 6 chiffres. Veuillez remplir tous les champs.",
      device_locked:
        "Trop de codes PIN erronés ont été saisis sur cet appareil. Par sécurité, il est temporairement bloqué.",
      not_signed_in: "Vous avez été déconnecté : rien n’a été modifié. Veuillez vous reconnecter.",
      insufficient_balance: "Le solde de ce portefeuille est insuffisant. Rien n’a été converti.",
      no_wallet:
        "Cette opération n’est pas possible avec votre portefeuille ou cette devise. Rien n’a été modifié.",
      wallet_closed: "Ce portefeuille est fermé. Rien n’a été modifié. Veuillez en utiliser un autre.",
      no_rate:
        "Aucun taux de change n’est disponible entre ces devises pour le moment. Rien n’a été converti. Veuillez choisir une autre devise.",
      not_found: "Cette action a déjà été effectuée.",
    },
  },
  languages: "Langue",
};
