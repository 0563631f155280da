export { maskSecrets } from "@sheepdog/guardian";
