/**
 * Arguments under which Node runs a script that may read itself and nothing else: no writing, no
 * child processes, no workers, no addons (PROTOCOL §3). The name of the switch depends on the
 * version; from 25 on the network is closed as well unless it is allowed.
 * @param version `process.versions.node`.
 * @param script absolute path, without symbolic links.
 */
export function permissionFlags(version: string, script: string): string[] {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const stable = major > 23 || (major === 23 && minor >= 5) || (major === 22 && minor >= 13);
  return [
    stable ? '--permission' : '--experimental-permission',
    `--allow-fs-read=${script}`,
    ...(major >= 25 ? ['--allow-net'] : []),
    '--disable-warning=ExperimentalWarning',
    '--disable-warning=SecurityWarning',
  ];
}
