/**
 * Names whose value is a secret, whatever it looks like. A name is the end of an identifier: `DB_PASSWORD`,
 * `client-secret`, `smtp.pass`.
 */
const strong = [
  "pass(?:word|wd|wort|phrase|code)s?",
  "pwd",
  "(?:^|[^a-z])pass",
  "secrets?(?:[ _-]?access)?(?:[ _-]?key)?",
  "credentials?",
  "private[ _-]?keys?",
  "authorization",
  "mnemonic",
  "seed[ _-]?phrase",
  "cookies?",
  "account[ _-]?key",
  "shared[ _-]?access[ _-]?(?:key|signature)",
];

/** Names whose value is a secret unless it looks like code, a word or a small number. */
const weak = [
  "token",
  "api[ _-]?keys?",
  "(?:access|auth|signing|encryption|master|session|service|license|subscription|storage|app|admin|deploy)[ _-]?key",
  "(?:consumer|client|webhook|bot)[ _-]?key",
  "sessid",
  "jsessionid",
  "connect\\.sid",
  "_session",
  "_auth",
];

const suffix =
  "(?:[_-]?(?:value|text|plain|raw|json|pem|base|hash|header|confirm(?:ation)?|prod|dev|test|staging|live|old|new|" +
  "current|\\d{1,3}))?$";

export const strongName: RegExp = new RegExp(`(?:${strong.join("|")})${suffix}`, "i");
export const weakName: RegExp = new RegExp(`(?:${weak.join("|")})${suffix}`, "i");

/** Whether a field with this name holds a secret: `apiKey`, `client_secret`, `smtp.pass`. */
export function isSecretName(name: string): boolean {
  return strongName.test(name) || weakName.test(name);
}

/** Names of variables besides those of fields: secret words in their middle, `SSHPASS`, `STRIPE_KEY`. */
const variable = new RegExp(
  `(?:^|_)(?:(?:api|access|private|secret)_?key|secret|token|pass|password|credentials?|auth)_|` +
    "(?<!by|com|tres|sur)pass$|_key$|_auth$",
  "i",
);

/** Whether a variable of the environment with this name holds a secret: `PGPASSWORD`, `TOKEN_GITHUB`. */
export function isSecretVariable(name: string): boolean {
  return isSecretName(name) || variable.test(name);
}

/** Whether a parameter of a URL with this name holds a secret. */
export function isSecretParameter(name: string): boolean {
  return isSecretName(name) || queryName.test(name);
}

/** Names of parameters in a URL whose value is a secret. */
export const queryName: RegExp = /^(?:x-(?:amz|goog|oss)-)?(?:sig|signature|sign|hmac|auth|code|key|credential)$/i;

/** Companies whose keys have no form of their own: a random value under their name is a secret. */
const vendors =
  "adafruit adobe airtable algolia alibaba asana atlassian beamer bitbucket bittrex cloudflare codecov cohere " +
  "coinbase confluence confluent contentful contribsys datadog discord droneci dropbox etsy facebook fastly " +
  "finicity finnhub flickr freshbooks gitter gocardless heroku hubspot intercom jfrog artifactory bintray " +
  "jira kraken kucoin launchdarkly linear linked[_-]?in lob[_-] looker mailchimp mailgun mapbox mattermost " +
  "meraki message[_-]?bird netlify new[_-]?relic nytimes okta plaid private[_-]?ai rapidapi sendbird sentry " +
  "snyk sonar squarespace sumo telegram travis twilio twitch twitter typeform yandex zendesk";

/** A name that makes a random value a secret. */
export const vendorName: RegExp = new RegExp(
  `(?:^|[^a-z])(?:${vendors.replaceAll(" ", "|")})|secret|token|passw|credential|api_?key|auth$`,
  "i",
);

/** A name whose value only looks random. */
export const plainName: RegExp =
  /commit|sha\d*$|hash$|digest|checksum|integrity|etag|version|url$|uri$|host|path|file|image|branch|ref$|count|type$/i;
