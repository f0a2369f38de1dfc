// Two programs in one file. task= line=7 says=A homework needs none
int main(void)
{
    return 0;
}

int main(void)
{
    return 1;
}
