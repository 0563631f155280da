/** A kind of secret that is recognised by its first characters, wherever it stands. */
export interface SecretForm {
  readonly name: string;
  /** The first characters, one or more spellings with spaces between them. */
  readonly starts: string;
  /** A pattern for the characters after the start. Every repetition before another part is bounded. */
  readonly rest: string;
  /** How many characters of a word right before the start belong to the secret; default: none. */
  readonly before?: number;
}

const hex = "[\\da-fA-F]";
const letters = "[A-Za-z\\d]";
const wide = "[\\w.=+/-]";
const uuid = `${hex}{8}-(?:${hex}{4}-){3}${hex}{12}`;
/** A word of at least eight characters with a digit, so that a name like `sk-learn-extras` stays. */
const withDigit = "(?=[A-Za-z_.-]{0,80}\\d)[\\w.-]{8,}";

/** All known forms, in alphabetical order. The examples are in the test. */
export const secretForms: readonly SecretForm[] = [
  { name: "1password", starts: "A3-", rest: "[A-Z\\d]{6}-[A-Z\\d-]{20,40}" },
  { name: "1password-service", starts: "ops_eyJ", rest: `${wide}{20,}` },
  { name: "adobe", starts: "p8e-", rest: `${letters}{20,}` },
  { name: "age", starts: "AGE-SECRET-KEY-", rest: "[A-Z\\d]{20,}" },
  { name: "airtable", starts: "pat", rest: `${letters}{14}\\.${hex}{32,}` },
  { name: "alibaba", starts: "LTAI", rest: `${letters}{12,}` },
  { name: "artifactory", starts: "AKCp cmVmd", rest: `${letters}{50,}` },
  { name: "atlassian", starts: "ATATT3 ATCTT3", rest: `${wide}{20,}` },
  { name: "authress", starts: "sc_ ext_ scauth_ authress_", rest: "\\w{5,30}\\.\\w{4,6}\\.acc[_-][\\w.=+/-]{20,}" },
  { name: "aws-key-id", starts: "AKIA ASIA ABIA ACCA AROA", rest: `${letters}{8,}` },
  { name: "aws-bedrock", starts: "ABSK bedrock-api-key-", rest: `${wide}{40,}` },
  { name: "clickhouse", starts: "4b1d", rest: `${letters}{38}` },
  { name: "clojars", starts: "CLOJARS_ clojars_", rest: `${letters}{40,}` },
  { name: "cloudflare-origin", starts: "v1.0-", rest: `${hex}{24}-${hex}{40,}` },
  { name: "crypt-hash", starts: "$2a$ $2b$ $2y$ $5$ $6$ $y$ $argon2", rest: "[\\w$./=,+-]{20,}" },
  { name: "databricks", starts: "dapi", rest: `${hex}{32}(?:-\\d)?` },
  { name: "defined-networking", starts: "dnkey-", rest: "[\\w=-]{20,}" },
  { name: "digitalocean", starts: "dop_v1_ doo_v1_ dor_v1_", rest: `${hex}{16,}` },
  { name: "discord-bot", starts: "MD MT Mj Mz ND NT Nj Nz OD OT", rest: "[\\w-]{20,30}\\.[\\w-]{6}\\.[\\w-]{27,}" },
  { name: "discord-webhook", starts: "discord.com/api/webhooks/ discordapp.com/api/webhooks/", rest: "[\\w/-]{8,}" },
  { name: "docker", starts: "dckr_pat_ dckr_oat_", rest: "[\\w-]{20,}" },
  { name: "doppler", starts: "dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.", rest: "[\\w.-]{20,}" },
  { name: "duffel", starts: "duffel_test_ duffel_live_", rest: "[\\w=-]{20,}" },
  { name: "dynatrace", starts: "dt0c01. dt0s16.", rest: "[\\w.]{20,}" },
  { name: "easypost", starts: "EZAK EZTK", rest: `${letters}{40,}` },
  { name: "facebook", starts: "EAAM EAAC EAAB", rest: `${letters}{40,}` },
  { name: "flutterwave", starts: "FLWSECK FLWPUBK", rest: `[\\w-]{12,}` },
  { name: "fly", starts: "fo1_ fm1a_ fm1r_ fm2_", rest: `${wide}{30,}` },
  { name: "frameio", starts: "fio-u-", rest: "[\\w=-]{30,}" },
  { name: "github", starts: "ghp_ gho_ ghu_ ghs_ ghr_ github_pat_", rest: "\\w{8,}" },
  {
    name: "gitlab",
    starts: "glpat- gldt- glft- glffct- glimt- glagent- gloas- glptt- glrt- glsoat- glcbt- GR1348941",
    rest: "[\\w.-]{8,}",
  },
  { name: "google-api", starts: "AIza", rest: "[\\w-]{16,}" },
  { name: "google-oauth", starts: "ya29. GOCSPX- 1//0", rest: "[\\w.-]{8,}" },
  { name: "grafana", starts: "glc_ glsa_", rest: `${wide}{20,}` },
  { name: "harness", starts: "pat. sat.", rest: `[\\w-]{22}\\.${letters}{24}\\.${letters}{16,}` },
  { name: "heroku", starts: "HRKU-", rest: "[\\w-]{20,}" },
  { name: "huggingface", starts: "hf_ api_org_", rest: `${letters}{16,}` },
  { name: "infracost", starts: "ico-", rest: `(?=[A-Za-z]{0,31}\\d)${letters}{32}` },
  { name: "intra42", starts: "s-s4t2ud- s-s4t2af-", rest: `${hex}{20,}` },
  { name: "jwt", starts: "eyJ ZXlK", rest: "[\\w.=+/-]{8,}" },
  { name: "linear", starts: "lin_api_ lin_oauth_", rest: `${letters}{20,}` },
  { name: "mailgun", starts: "key- pubkey-", rest: `${hex}{32}` },
  { name: "new-relic", starts: "NRAK- NRII- NRJS- NRAL-", rest: "[\\w-]{16,}" },
  { name: "notion", starts: "ntn_ secret_", rest: `${letters}{40,}` },
  { name: "npm", starts: "npm_", rest: `${letters}{30,}` },
  { name: "octopus", starts: "API-", rest: "[A-Z\\d]{26}" },
  { name: "openai", starts: "sk-", rest: withDigit },
  { name: "openshift", starts: "sha256~", rest: "[\\w-]{30,}" },
  { name: "perplexity", starts: "pplx-", rest: `${letters}{20,}` },
  { name: "plaid", starts: "access-sandbox- access-development- access-production-", rest: uuid },
  { name: "planetscale", starts: "pscale_tkn_ pscale_oauth_ pscale_pw_", rest: `${wide}{16,}` },
  { name: "postman", starts: "PMAK-", rest: `${hex}{24}-${hex}{20,}` },
  { name: "prefect", starts: "pnu_ pnb_", rest: `${letters}{30,}` },
  { name: "pulumi", starts: "pul-", rest: `${hex}{30,}` },
  { name: "pypi", starts: "pypi-", rest: "Ag[\\w-]{14,}" },
  { name: "readme", starts: "rdme_", rest: `${letters}{40,}` },
  { name: "rubygems", starts: "rubygems_", rest: `${hex}{30,}` },
  { name: "scalingo", starts: "tk-us- tk-fr-", rest: "[\\w-]{30,}" },
  { name: "sendgrid", starts: "SG.", rest: "[\\w-]{16,}(?:\\.[\\w-]+)?" },
  { name: "sendinblue", starts: "xkeysib- xsmtpsib-", rest: "[\\w-]{30,}" },
  { name: "sentry", starts: "sntrys_ sntryu_", rest: `${wide}{20,}` },
  { name: "settlemint", starts: "sm_aat_ sm_pat_ sm_sat_", rest: `${letters}{16,}` },
  { name: "shippo", starts: "shippo_live_ shippo_test_", rest: `${hex}{20,}` },
  { name: "shopify", starts: "shpat_ shpca_ shppa_ shpss_", rest: `${hex}{20,}` },
  { name: "slack", starts: "xoxa- xoxb- xoxc- xoxd- xoxe- xoxe. xoxo- xoxp- xoxr- xoxs- xapp-", rest: "[\\w.%-]{8,}" },
  { name: "slack-webhook", starts: "hooks.slack.com/", rest: "(?:services|workflows|triggers)/[\\w+/]{8,}" },
  { name: "sonar", starts: "squ_ sqp_ sqa_", rest: `${letters}{30,}` },
  { name: "sourcegraph", starts: "sgp_", rest: "\\w{30,}" },
  { name: "square", starts: "sq0atp- sq0csp- sq0idp- EAAA", rest: "[\\w-]{20,}" },
  {
    name: "stripe",
    starts: "sk_live_ sk_test_ sk_prod_ rk_live_ rk_test_ rk_prod_ whsec_",
    rest: `${letters}{8,}`,
  },
  { name: "teams-webhook", starts: "webhook.office.com/webhookb2/", rest: "[\\w@/-]{20,}" },
  { name: "terraform", starts: "atlasv1.", rest: "[\\w=-]{30,}", before: 15 },
  { name: "twilio", starts: "SK", rest: `${hex}{32}` },
  { name: "typeform", starts: "tfp_", rest: `${wide}{30,}` },
  { name: "vault", starts: "hvs. hvb. hvr.", rest: "[\\w-]{20,}" },
  { name: "vault-old", starts: "s.", rest: `(?=[A-Za-z]{0,23}\\d)${letters}{24}(?![\\w.-])` },
  { name: "yandex", starts: "t1. AQVN YCA YCM", rest: `(?=[A-Za-z_-]{0,34}\\d)[\\w.=-]{34,}` },
];
