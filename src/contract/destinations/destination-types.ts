export const destinationTypes = ['S3', 'File', 'Postgres'] as const
