export default async function globalTeardown() {
  await globalThis.stewardTestCluster?.stop();
}
