/** Returns the `project` parameter in the URL of an export's pages; undefined for the first project. */
export function projectParameter(
  row: { team_id: number },
  projects: readonly { id: number }[],
): number | undefined {
  return row.team_id === projects[0]?.id ? undefined : row.team_id
}
