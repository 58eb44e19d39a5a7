export const logLevels = ['DEBUG', 'INFO', 'WARNING', 'ERROR'] as const
